import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  createServer,
  request as send,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';

/** What goes wrong with a request. */
export type Fault =
  /** It is answered with this error, and reaches nobody. */
  | { readonly kind: 'error'; readonly status: number; readonly code: string }
  /** Its connection is reset before anything happens. */
  | { readonly kind: 'reset' }
  /** Nothing happens, for ever. */
  | { readonly kind: 'silence' }
  /** It is done, but the answer is lost. */
  | { readonly kind: 'lost' }
  /** Its answer breaks off after so many bytes. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** Its answer comes byte by byte, never silent for long and never done. */
  | { readonly kind: 'drip' }
  /** What it answers is made into something else. */
  | { readonly kind: 'hostile'; readonly serve: (response: ServerResponse, answer: Answer) => void };

/** A request, whole. */
export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  /** As it was sent: signatures cover its spelling. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
  /** Instead of the body, when that is too long to be held; no fault can cut it. */
  readonly stream?: Readable;
}

const HELD_BYTES = 64 * 1024 * 1024;
/** Between two bytes of an answer that drips. */
const DRIP_MS = 100;

/** Stands before a store: refuses, changes and breaks what the test says. */
export class FaultyProxy {
  /** Which request has which fault; none by default. */
  fault: (request: SeenRequest) => Fault | undefined = () => undefined;
  /** Where it sends everybody. */
  redirectsTo: string | undefined;
  readonly seen: Omit<SeenRequest, 'body'>[] = [];
  private server: Server;

  /** @param target `http://host:port` of the store. */
  protected constructor(private readonly target: string) {}

  static async before(target: string): Promise<FaultyProxy> {
    return new FaultyProxy(target).listen();
  }

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

  /** What the store answers. */
  protected forward({ method, path, headers, body }: SeenRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { port, hostname } = new URL(this.target);
      const length = { 'content-length': body.length };
      const sent = send({ method, path, port, hostname, headers: { ...headers, ...length } }, (response) => {
        const head = { status: response.statusCode ?? 0, headers: response.headers };
        if (method === 'GET' && Number(response.headers['content-length']) > HELD_BYTES) {
          return resolve({ ...head, body: Buffer.alloc(0), stream: response });
        }
        buffer(response).then((answer) => resolve({ ...head, body: answer }), reject);
      });
      sent.once('error', reject).end(body);
    });
  }

  protected answer(request: SeenRequest): Promise<Answer> {
    return this.forward(request);
  }

  /** An error as the store would say it. */
  protected errorAnswer(status: number, code: string): Answer {
    const body = Buffer.from(
      `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}, said the test</Message></Error>`,
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
      body: await buffer(incoming),
    };
    const { body: _body, ...head } = request;
    this.seen.push(head);
    if (this.redirectsTo) return void response.writeHead(307, { location: this.redirectsTo }).end();
    const fault = this.fault(request);
    if (fault?.kind === 'silence') return;
    if (fault?.kind === 'reset') return void incoming.socket.resetAndDestroy();
    const answer = fault?.kind === 'error' ? this.errorAnswer(fault.status, fault.code) : await this.answer(request);
    if (fault?.kind === 'lost') return void incoming.socket.resetAndDestroy();
    if (fault?.kind === 'hostile') return fault.serve(response, answer);
    if (answer.stream) return pipeline(answer.stream, response.writeHead(answer.status, answer.headers));
    const headers =
      request.method === 'HEAD' ? answer.headers : { ...answer.headers, 'content-length': answer.body.length };
    delete headers['transfer-encoding'];
    response.writeHead(answer.status, headers);
    if (fault?.kind === 'drip') return drip(response, answer.body);
    if (fault?.kind !== 'cut') return void response.end(request.method === 'HEAD' ? undefined : answer.body);
    response.write(answer.body.subarray(0, fault.afterBytes), () => incoming.socket.resetAndDestroy());
  }
}

/** All but the last byte, which never comes. */
async function drip(response: ServerResponse, body: Buffer): Promise<void> {
  for (let at = 0; !response.destroyed; at++) {
    if (at < body.length - 1) response.write(body.subarray(at, at + 1));
    await setTimeout(DRIP_MS);
  }
}
