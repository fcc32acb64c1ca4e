import { diag, DiagLogLevel, trace, type TextMapPropagator } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { type IncomingMessage } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TracingConfig } from '#infra/config/config';
import { routePatternOf } from '#infra/http/telemetry/request-metrics';
import { tieLogTo, type TraceFields } from '#infra/logging/current-trace';
import { type Logger } from '#infra/logging/logger';
import { MaskingExporter } from './masked-spans';
import { type Tracing } from './tracing';

/** Nothing at the end may wait for a collector that is away. */
const LAST_SEND_MS = 3_000;

/** Asked every few seconds by machines. */
const PROBES = /^\/(api\/v1\/(live|ready)|metrics)(\?|$)/;

/**
 * Traces of requests, of what they ask the database and of what the service asks stores, by OpenTelemetry's own instrumentation of
 * node:http and pg. Exporter, sampler, batches and resource attributes follow the standard variables.
 */
export function startOpenTelemetry(config: TracingConfig): Tracing {
  const exporter = config.protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ 'service.name': config.serviceName })),
    spanProcessors: [new BatchSpanProcessor(new MaskingExporter(exporter))],
  });
  provider.register({ propagator: ONLY_INWARD });
  registerInstrumentations({ instrumentations: [httpInstrumentation(), pgInstrumentation()] });
  loadWatched();
  tieLogTo(fieldsOfTrace);
  return { reportTo, stop: () => sendTheRest(provider) };
}

async function sendTheRest(provider: NodeTracerProvider): Promise<void> {
  const sent = provider.shutdown().catch((error: unknown) => diag.warn('traces are lost', error));
  await Promise.race([sent, sleep(LAST_SEND_MS)]);
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

/** What no request asks for is not traced: the job queue looks for work every two seconds. */
const pgInstrumentation = (): PgInstrumentation =>
  new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true, enhancedDatabaseReporting: false });

/**
 * The hooks see what `require` loads, and patch it in place; half of the application is ES modules, which load these without it
 * (and then get what was patched).
 */
function loadWatched(): void {
  /* eslint-disable @typescript-eslint/no-require-imports */
  require('node:http');
  require('node:https');
  require('pg');
  /* eslint-enable @typescript-eslint/no-require-imports */
  syncBuiltinESMExports();
}

const isIncoming = (request: object): request is IncomingMessage => 'httpVersion' in request;

/** Traces that a caller began are continued; stores and payment providers are told nothing of them. */
const ONLY_INWARD: TextMapPropagator = (() => {
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

/** A collector that is away costs traces, no more. */
function reportTo(logger: Logger): void {
  const warn = (message: string, ...details: unknown[]): void =>
    logger.warn({ component: 'tracing', details: details.map(String) }, message);
  const ignore = (): void => undefined;
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
