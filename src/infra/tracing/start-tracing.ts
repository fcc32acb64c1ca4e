import { type TracingConfig } from '#infra/config/config';
import { type Tracing } from './tracing';

const NO_TRACING: Tracing = { reportTo: () => undefined, stop: () => Promise.resolve() };

/**
 * Starts tracing when it is configured. Call it before the application is loaded, because the instrumentation patches packages as they
 * load. Without tracing, OpenTelemetry is not loaded.
 */
export function startTracing(config: TracingConfig): Tracing {
  if (!config.isOn) return NO_TRACING;
  // eslint-disable-next-line @typescript-eslint/no-require-imports, @typescript-eslint/consistent-type-imports -- an import would always load it
  const { startOpenTelemetry } = require('./open-telemetry') as typeof import('./open-telemetry');
  return startOpenTelemetry(config);
}
