import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type OutgoingAgents } from './outgoing-agents';

const MAX_BYTES = 64 * 1024;

export interface PlainResponse {
  readonly status: number;
  /** The server's clock, from its `Date` header, in milliseconds; null when it is missing. */
  readonly dateMs: number | null;
  /** At most the first 64 KiB. */
  readonly body: Buffer;
}

/** Sends one request without retries or redirects. */
export function plainRequest(
  agents: OutgoingAgents,
  method: 'GET' | 'HEAD',
  url: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<PlainResponse> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const options: RequestOptions = { method, headers, agent: agents.agentFor(url), signal };
  return new Promise((resolve, reject) => {
    const sent = send(url, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const done = (): void => {
        const date = Date.parse(response.headers.date ?? '');
        const body = Buffer.concat(chunks).subarray(0, MAX_BYTES);
        resolve({ status: response.statusCode ?? 0, dateMs: Number.isNaN(date) ? null : date, body });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size < MAX_BYTES) return;
        done();
        response.destroy();
      });
      response.once('end', done).once('error', reject);
    });
    sent.once('error', reject).end();
  });
}
