import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A request as it arrives at the proxy. */
export interface ProxiedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Milliseconds, of `performance.now()`. */
  readonly at: number;
}

/** The treatment of a request that the proxy does not forward. */
export type Answer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** No response for as long as the connection exists. */
  | 'silence';

/** A proxy between clients and the service, which answers or resets as the test says. Its connections serve one request. */
export class ServiceProxy {
  /** The proxy's own response to a request; undefined forwards the request. */
  answers: (request: ProxiedRequest) => Answer | undefined = () => undefined;
  /** Whether the connection with this number, counted from 1, is reset. */
  resets: (connection: number) => boolean = () => false;
  /** The requests so far. */
  readonly seen: ProxiedRequest[] = [];
  private connections = 0;
  private readonly server: Server;

  private constructor(target: () => string) {
    this.server = createServer({ keepAlive: false }, (incoming, outgoing) => this.serve(incoming, outgoing, target()));
    this.server.on('connection', (socket) => {
      this.connections += 1;
      if (this.resets(this.connections)) socket.resetAndDestroy();
    });
  }

  /** @param target returns the address of the service, which may start later. */
  static async start(target: () => string): Promise<ServiceProxy> {
    const proxy = new ServiceProxy(target);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private serve(incoming: IncomingMessage, outgoing: ServerResponse, target: string): void {
    const { method = 'GET', url = '/', headers } = incoming;
    const seen = { method, path: new URL(url, target).pathname, headers, at: performance.now() };
    this.seen.push(seen);
    const answer = this.answers(seen);
    if (answer === undefined) return forward(incoming, outgoing, target);
    incoming.resume();
    if (answer === 'silence') return;
    // A response closes the connection. While a body still arrives, that can reset it before the client has read the response.
    incoming.once('end', () => {
      outgoing.writeHead(answer.status, { ...answer.headers, connection: 'close' }).end(answer.body);
    });
  }
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, target: string): void {
  const { method, url = '/', headers } = incoming;
  const forwarded = request(new URL(url, target), { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, connection: 'close' });
    response.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  incoming.on('error', () => forwarded.destroy());
  incoming.pipe(forwarded);
}
