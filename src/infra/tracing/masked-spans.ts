import { type Attributes, SpanKind } from '@opentelemetry/api';
import { type ReadableSpan, type SpanExporter, type TimedEvent } from '@opentelemetry/sdk-trace-node';
import { loggablePath, redactTokens } from '#infra/logging/masking';

type Mask = (value: string) => string;

const LONGEST_STATEMENT = 2_000;

/** Without parameters: those are in the `$1` of it, and never in a span. */
const statement: Mask = (text) => redactTokens(text).slice(0, LONGEST_STATEMENT);

/** Signatures are in the queries of addresses. */
const address: Mask = (url) => {
  if (!URL.canParse(url)) return '[unreadable]';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${loggablePath(pathname)}`;
};

/** All that may leave, as it may leave. What a client makes up (its agent, the host it names) is not among it. */
const ADMITTED: Readonly<Record<string, Mask>> = {
  'http.request.method': redactTokens,
  'http.route': redactTokens,
  'http.response.status_code': redactTokens,
  'url.scheme': redactTokens,
  'url.path': loggablePath,
  'network.protocol.version': redactTokens,
  'error.type': redactTokens,
};

/** Whom we ask, our own configuration names. */
const ADMITTED_OF_CLIENTS: Readonly<Record<string, Mask>> = {
  ...ADMITTED,
  'url.full': address,
  'server.address': redactTokens,
  'server.port': redactTokens,
  'db.system.name': redactTokens,
  'db.namespace': redactTokens,
  'db.query.text': statement,
  'db.operation.name': redactTokens,
  'db.response.status_code': redactTokens,
};

function maskedAttributes({ kind, attributes }: ReadableSpan): Attributes {
  const admitted = kind === SpanKind.CLIENT ? ADMITTED_OF_CLIENTS : ADMITTED;
  const masked: Attributes = {};
  for (const [name, mask] of Object.entries(admitted)) {
    const value = attributes[name];
    if (typeof value === 'string') masked[name] = mask(value);
    else if (typeof value === 'number') masked[name] = value;
  }
  return masked;
}

/** Of an exception the type: its message may repeat what a client sent. */
const maskedEvents = ({ events }: ReadableSpan): TimedEvent[] =>
  events.map(({ name, time, attributes }) => ({
    name,
    time,
    attributes: { 'exception.type': attributes?.['exception.type'] },
  }));

/** The span as it may be told: nothing in it opens a door, or is somebody's (the masking of the log, and more). */
export const masked = (span: ReadableSpan): ReadableSpan =>
  Object.create(span, {
    name: { value: redactTokens(span.name) },
    attributes: { value: maskedAttributes(span) },
    events: { value: maskedEvents(span) },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;

/** Lets nothing out but masked spans. */
export class MaskingExporter implements SpanExporter {
  constructor(private readonly inner: SpanExporter) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.inner.export(spans.map(masked), done);
  }

  async forceFlush(): Promise<void> {
    await this.inner.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.inner.shutdown();
  }
}
