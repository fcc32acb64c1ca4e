import { request as httpRequest, type Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { type ClientProgram } from '#kernel/context/request-context';

/** A part of the service that sends requests to the API for a client. */
export interface InProcessCaller {
  /** The address of the client. */
  readonly sourceIp: string | null;
  readonly client: ClientProgram;
}

export interface InProcessRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path and query: `/api/v1/builds?limit=20`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Ends the request with its reason, as if its client had disconnected. */
  readonly signal?: AbortSignal;
}

export interface InProcessResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed JSON; null when the response has no body. */
  readonly body: unknown;
}

const callers = new WeakMap<object, InProcessCaller>();

/** The caller behind a connection of {@link requestInProcess}. Undefined for connections of clients. */
export const callerOf = (connection: object): InProcessCaller | undefined => callers.get(connection);

/**
 * Sends a request to the API over a connection in memory, which Node's server accepts like one of a client. So the request passes the
 * guards, limits, validation and audit of each other request, and its sender can do nothing that the credential in its headers may not do.
 */
export async function requestInProcess(
  server: Server,
  caller: InProcessCaller,
  { method, path, headers, body, signal }: InProcessRequest,
): Promise<InProcessResponse> {
  signal?.throwIfAborted();
  const [near, far] = duplexPair();
  callers.set(far, caller);
  server.emit('connection', far);
  const content = body === undefined ? undefined : JSON.stringify(body);
  const json = content !== undefined && {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(content)),
  };
  const outgoing = httpRequest({ method, path, headers: { ...headers, ...json }, createConnection: () => near });
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal?.reason as Error);
      outgoing.destroy();
      // A connection in memory does not close when its other end does.
      far.destroy();
    };
    signal?.addEventListener('abort', abort);
    outgoing.once('close', () => signal?.removeEventListener('abort', abort));
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode: status = 0, headers } = response;
        try {
          resolve({ status, headers, body: parsed(Buffer.concat(chunks).toString()) });
        } catch (error) {
          // Thrown here, it would end the process.
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
    outgoing.end(content);
  });
}

const parsed = (text: string): unknown => (text === '' ? null : (JSON.parse(text) as unknown));
