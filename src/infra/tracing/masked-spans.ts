import { type Attributes, SpanKind } from '@opentelemetry/api';
import { type ReadableSpan, type SpanExporter, type TimedEvent } from '@opentelemetry/sdk-trace-node';
import { loggablePath, redactTokens } from '#infra/logging/masking';

type Mask = (value: string) => string;

const LONGEST_STATEMENT = 2_000;

/** The SQL text contains placeholders; parameters are never in a span. */
const statement: Mask = (text) => redactTokens(text).slice(0, LONGEST_STATEMENT);

/** Drops the query, which may hold a signature, and the user and password. */
const address: Mask = (url) => {
  if (!URL.canParse(url)) return '[unreadable]';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${loggablePath(pathname)}`;
};

/** The exported attributes, each with its mask. Values that a client chooses (user agent, host) are not exported. */
const EXPORTED: Readonly<Record<string, Mask>> = {
  'http.request.method': redactTokens,
  'http.route': redactTokens,
  'http.response.status_code': redactTokens,
  'url.scheme': redactTokens,
  'url.path': loggablePath,
  'network.protocol.version': redactTokens,
  'error.type': redactTokens,
};

/** Attributes of outgoing requests. Their hosts come from the configuration. */
const EXPORTED_OF_CLIENTS: Readonly<Record<string, Mask>> = {
  ...EXPORTED,
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
  const exported = kind === SpanKind.CLIENT ? EXPORTED_OF_CLIENTS : EXPORTED;
  const masked: Attributes = {};
  for (const [name, mask] of Object.entries(exported)) {
    const value = attributes[name];
    if (typeof value === 'string') masked[name] = mask(value);
    else if (typeof value === 'number') masked[name] = value;
  }
  return masked;
}

/** Keeps the type of an exception. Its message may repeat input of a client. */
const maskedEvents = ({ events }: ReadableSpan): TimedEvent[] =>
  events.map(({ name, time, attributes }) => ({
    name,
    time,
    attributes: { 'exception.type': attributes?.['exception.type'] },
  }));

/** A copy of the span without credentials and personal data. */
export const masked = (span: ReadableSpan): ReadableSpan =>
  Object.create(span, {
    name: { value: redactTokens(span.name) },
    attributes: { value: maskedAttributes(span) },
    events: { value: maskedEvents(span) },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;

/** Masks every span before it exports it. */
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
