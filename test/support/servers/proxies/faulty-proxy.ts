import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';

/** The way in which a request fails. */
export type Fault =
  /** The proxy responds with this error and does not forward the request. */
  | { readonly kind: 'error'; readonly status: number; readonly code: string }
  /** The connection is reset before the request is forwarded. */
  | { readonly kind: 'reset' }
  /** The proxy never responds. */
  | { readonly kind: 'silence' }
  /** The store executes the request, but the response is lost. */
  | { readonly kind: 'lost' }
  /** The response breaks off after this number of bytes. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The response arrives byte by byte and never ends. */
  | { readonly kind: 'drip' }
  /** `serve` sends a response of its own. */
  | { readonly kind: 'hostile'; readonly serve: (response: ServerResponse, original: StoreResponse) => void };

/** A request with its complete body. */
export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  /** The raw path and query, which signatures cover. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface StoreResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
  /** Replaces `body` when that is too long to hold in memory; faults do not apply to it. */
  readonly stream?: Readable;
}

/** The pause between two bytes of a `drip`. */
const DRIP_MS = 100;

/** A proxy before a store that rejects, changes or breaks off requests as the test says. */
export abstract class FaultyProxy {
  /** Returns the fault of a request; none by default. */
  fault: (request: SeenRequest) => Fault | undefined = () => undefined;
  /** When set, every request is redirected to this URL. */
  redirectsTo: string | undefined;
  /** The requests so far. */
  readonly seen: Omit<SeenRequest, 'body'>[] = [];
  private server: Server;

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  protected async listen(): Promise<this> {
    this.server = createServer((request, response) => {
      void this.serve(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  /** Sends a request to the store. */
  protected abstract forward(request: SeenRequest): Promise<StoreResponse>;

  /** Responds to a request that has no fault. */
  protected respond(request: SeenRequest): Promise<StoreResponse> {
    return this.forward(request);
  }

  /** An error response in the store's format. */
  protected errorResponse(status: number, code: string): StoreResponse {
    const body = Buffer.from(
      `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} (fault of the test)</Message></Error>`,
    );
    return { status, headers: { 'content-type': 'application/xml', 'x-ms-error-code': code }, body };
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? '/';
    const request: SeenRequest = {
      method: incoming.method ?? 'GET',
      url: new URL(path, 'http://store'),
      path,
      headers: incoming.headers,
      body: await bytesOf(incoming),
    };
    const { body: _body, ...head } = request;
    this.seen.push(head);
    if (this.redirectsTo) return void response.writeHead(307, { location: this.redirectsTo }).end();
    const fault = this.fault(request);
    if (fault?.kind === 'silence') return;
    if (fault?.kind === 'reset') return void incoming.socket.resetAndDestroy();
    const result = fault?.kind === 'error' ? this.errorResponse(fault.status, fault.code) : await this.respond(request);
    if (fault?.kind === 'lost') return void incoming.socket.resetAndDestroy();
    if (fault?.kind === 'hostile') return fault.serve(response, result);
    if (result.stream) return pipeline(result.stream, response.writeHead(result.status, result.headers));
    const headers =
      request.method === 'HEAD' ? result.headers : { ...result.headers, 'content-length': result.body.length };
    delete headers['transfer-encoding'];
    response.writeHead(result.status, headers);
    if (fault?.kind === 'drip') return drip(response, result.body);
    if (fault?.kind !== 'cut') return void response.end(request.method === 'HEAD' ? undefined : result.body);
    response.write(result.body.subarray(0, fault.afterBytes), () => incoming.socket.resetAndDestroy());
  }
}

/** All bytes of a message. `buffer` of node:stream/consumers copies them twice more. */
export const bytesOf = async (message: Readable): Promise<Buffer> =>
  Buffer.concat((await message.toArray()) as Buffer[]);

/** Sends all bytes but the last one. */
async function drip(response: ServerResponse, body: Buffer): Promise<void> {
  for (let at = 0; !response.destroyed; at++) {
    if (at < body.length - 1) response.write(body.subarray(at, at + 1));
    await setTimeout(DRIP_MS);
  }
}
