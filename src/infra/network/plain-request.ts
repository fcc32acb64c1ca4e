import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type OutgoingAgents } from './outgoing-agents';

const MAX_BYTES = 64 * 1024;
/** The maximum number of interim responses (1xx), each of which costs the process time, before the response. */
const MAX_INTERIM = 10;

/** What a request has beside its method and URL. */
export interface PlainContent {
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a POST. */
  readonly body?: Buffer;
  /** The maximum number of bytes of the response's body. The connection is closed after them. By default 64 KiB. */
  readonly maxBytes?: number;
}

export interface PlainResponse {
  readonly status: number;
  /** The server's clock, from its `Date` header, in milliseconds; null when it is missing. */
  readonly dateMs: number | null;
  /** The value of `Retry-After`; null when it is missing. */
  readonly retryAfter: string | null;
  /** At most the first `maxBytes`. */
  readonly body: Buffer;
}

/**
 * Sends one request without retries or redirects. `signal` also ends a response that does not end. A server that switches protocols (101)
 * has responded: its connection is closed.
 */
export function plainRequest(
  agents: OutgoingAgents,
  method: 'GET' | 'HEAD' | 'POST',
  url: string,
  signal: AbortSignal,
  { headers = {}, body: content, maxBytes = MAX_BYTES }: PlainContent = {},
): Promise<PlainResponse> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const length = content && { 'Content-Length': String(content.length) };
  const options: RequestOptions = { method, headers: { ...headers, ...length }, agent: agents.agentFor(url), signal };
  return new Promise((resolve, reject) => {
    const sent = send(url, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const done = (): void => {
        const date = Date.parse(response.headers.date ?? '');
        const body = Buffer.concat(chunks).subarray(0, maxBytes);
        const retryAfter = response.headers['retry-after'] ?? null;
        resolve({ status: response.statusCode ?? 0, dateMs: Number.isNaN(date) ? null : date, retryAfter, body });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size < maxBytes) return;
        done();
        response.destroy();
      });
      response.once('end', done).once('error', reject);
    });
    let interim = 0;
    sent.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM) sent.destroy(new Error('The server sent too many interim responses'));
    });
    // Without a listener, Node closes the connection and emits neither a response nor an error, also none when `signal` aborts.
    sent.once('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve({ status: statusCode, dateMs: null, retryAfter: null, body: Buffer.alloc(0) });
    });
    sent.once('error', reject).end(content);
  });
}
