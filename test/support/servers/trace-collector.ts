import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A received span. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** 1 internal, 2 server, 3 client (opentelemetry-proto, trace.proto). */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number>>;
}

interface WireAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}
interface WireSpan extends Omit<ReceivedSpan, 'attributes'> {
  readonly attributes: readonly WireAttribute[];
}
interface WireExport {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

const read = (attributes: readonly WireAttribute[]): Record<string, string | number> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? Number.NaN)]),
  );

/** An OTLP collector over HTTP. Decodes JSON, and keeps every request body. */
export class TraceCollector {
  readonly spans: ReceivedSpan[] = [];
  readonly resources: Record<string, string | number>[] = [];
  readonly contentTypes = new Set<string>();
  readonly paths = new Set<string>();
  private readonly bodies: Buffer[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer((request, response) => {
      void buffer(request).then((body) => {
        const contentType = String(request.headers['content-type']);
        collector.contentTypes.add(contentType);
        collector.paths.add(String(request.url));
        collector.bodies.push(body);
        if (contentType === 'application/json') collector.take(JSON.parse(body.toString()) as WireExport);
        response.writeHead(200, { 'Content-Type': contentType }).end(contentType === 'application/json' ? '{}' : '');
      });
    });
    const collector = new TraceCollector(server);
    // `unref`: a failed test does not stop the collector, which must not keep Jest running.
    await once(server.listen(0, '127.0.0.1').unref(), 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** All request bodies. Strings are readable in any encoding: protobuf stores them unchanged. */
  get received(): string {
    return Buffer.concat(this.bodies).toString('latin1');
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private take({ resourceSpans }: WireExport): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resources.push(read(resource.attributes));
      for (const { spans } of scopeSpans) {
        this.spans.push(...spans.map((span) => ({ ...span, attributes: read(span.attributes) })));
      }
    }
  }
}
