import { type TracingConfig } from '#infra/config/config';
import { type Tracing } from './tracing';

const NO_TRACING: Tracing = { reportTo: () => undefined, stop: () => Promise.resolve() };

/**
 * Begins to trace, where the configuration wants it, before the packages that it watches are used: so before the application is
 * loaded. Where it does not, nothing of it is even loaded.
 */
export function startTracing(config: TracingConfig): Tracing {
  if (!config.isOn) return NO_TRACING;
  // eslint-disable-next-line @typescript-eslint/no-require-imports, @typescript-eslint/consistent-type-imports -- an import would load it always
  const { startOpenTelemetry } = require('./open-telemetry') as typeof import('./open-telemetry');
  return startOpenTelemetry(config);
}
