import { type IncomingMessage } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { diag, DiagLogLevel, type TextMapPropagator, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { type TracingConfig } from '#infra/config/config';
import { routePatternOf } from '#infra/http/telemetry/request-metrics';
import { linkLogTo, type Logger, type TraceFields } from '#infra/logging/logger';
import { MaskingExporter } from './masked-spans';
import { type Tracing } from './tracing';

/** Bounds the final export, because the collector may be unavailable. */
const FINAL_EXPORT_MS = 3_000;

/** Probes and scrapes, which arrive every few seconds, are not traced. */
const PROBES = /^\/(api\/v1\/(live|ready)|metrics)(\?|$)/;

/**
 * Traces requests, their SQL statements and the service's requests to stores, with OpenTelemetry's instrumentation of node:http and pg.
 * Exporter, sampler, batches and resource attributes follow OpenTelemetry's standard environment variables.
 */
export function startOpenTelemetry(config: TracingConfig): Tracing {
  const exporter = config.protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ 'service.name': config.serviceName })),
    spanProcessors: [new BatchSpanProcessor(new MaskingExporter(exporter))],
  });
  provider.register({ propagator: INCOMING_ONLY });
  registerInstrumentations({ instrumentations: [httpInstrumentation(), pgInstrumentation()] });
  loadInstrumented();
  linkLogTo(fieldsOfTrace);
  return { reportTo, stop: () => flush(provider) };
}

async function flush(provider: NodeTracerProvider): Promise<void> {
  const sent = provider.shutdown().catch((error: unknown) => diag.warn('The last traces could not be exported', error));
  await Promise.race([sent, sleep(FINAL_EXPORT_MS)]);
}

const httpInstrumentation = (): HttpInstrumentation =>
  new HttpInstrumentation({
    ignoreIncomingRequestHook: ({ url }) => PROBES.test(url ?? ''),
    applyCustomAttributesOnSpan: (span, request) => {
      if (!isIncoming(request)) return;
      const route = routePatternOf(request);
      span.setAttribute('http.route', route);
      span.updateName(`${request.method} ${route}`);
    },
  });

/** Statements outside a request are not traced, because the job queue polls every two seconds. */
const pgInstrumentation = (): PgInstrumentation =>
  new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true, enhancedDatabaseReporting: false });

/**
 * The instrumentation patches modules when `require` loads them. ES modules import these without `require`, so they are loaded here
 * first; importers then receive the patched exports.
 */
function loadInstrumented(): void {
  /* eslint-disable @typescript-eslint/no-require-imports */
  require('node:http');
  require('node:https');
  require('pg');
  /* eslint-enable @typescript-eslint/no-require-imports */
  syncBuiltinESMExports();
}

const isIncoming = (request: object): request is IncomingMessage => 'httpVersion' in request;

/** Continues a trace that a client started, but sends no trace headers to stores and payment providers. */
const INCOMING_ONLY: TextMapPropagator = (() => {
  const standard = new W3CTraceContextPropagator();
  return {
    inject: () => undefined,
    extract: (context, carrier, getter) => standard.extract(context, carrier, getter),
    fields: () => standard.fields(),
  };
})();

function fieldsOfTrace(): TraceFields {
  const context = trace.getActiveSpan()?.spanContext();
  return context ? { traceId: context.traceId, spanId: context.spanId } : {};
}

/** An unavailable collector causes warnings and lost traces, nothing else. */
function reportTo(logger: Logger): void {
  const warn = (message: string, ...details: unknown[]): void =>
    logger.warn({ component: 'tracing', details: details.map(String) }, message);
  const ignore = (): void => undefined;
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
