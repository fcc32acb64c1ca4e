import { randomUUID } from 'node:crypto';
import { ApiError, isTransient, type Retries, toApiError } from '@agate/client';
import { connectionErrorOf } from '../output/connection-errors';
import { type Output } from '../output/output';

export interface ServiceFetchOptions {
  /** Decides for each request whether and when it is retried. */
  readonly newRetries: () => Retries;
  /** Called after every response. */
  readonly answered: () => void;
  readonly output: Pick<Output, 'debug'>;
  /** Aborts when the process is interrupted. */
  readonly signal: AbortSignal;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const MUTATING = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** `fetch` for requests to the API. Requests with temporary failures are retried, with one idempotency key. */
export const serviceFetch = (options: ServiceFetchOptions): typeof fetch => {
  const { newRetries, signal, wait } = options;
  return async (input, init = {}) => {
    const request = {
      ...init,
      headers: withKey(init),
      signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
    };
    const pauseBeforeRetry = newRetries();
    for (;;) {
      const { response, error } = await tried(options, input, request);
      const pause = error && isTransient(error) ? pauseBeforeRetry(error) : null;
      if (pause !== null) await wait(pause, request.signal);
      else if (response) return response;
      else throw error?.cause as Error;
    }
  };
};

/** The response, the error instead of a response, or both for a response with an error status. @throws the reason of the abort. */
async function tried(
  { output, answered }: ServiceFetchOptions,
  input: string | URL | Request,
  init: RequestInit & { readonly signal: AbortSignal },
): Promise<{ readonly response?: Response; readonly error?: ApiError }> {
  const name = `${init.method ?? 'GET'} ${addressOf(input)}`;
  const started = performance.now();
  const elapsed = (): string => `${Math.round(performance.now() - started)} ms`;
  try {
    const response = await complete(await fetch(input, init));
    answered();
    output.debug(`${name} ${response.status} ${elapsed()} ${response.headers.get('X-Request-Id') ?? ''}`.trimEnd());
    return response.ok ? { response } : { response, error: await toApiError(response.clone()) };
  } catch (cause) {
    if (init.signal.aborted) throw cause;
    output.debug(`${name} failed after ${elapsed()}: ${connectionErrorOf(cause)}`);
    const error = new ApiError(0, 'network_error', '');
    error.cause = cause;
    return { error };
  }
}

/** The response with its whole body, which can break off after its head has arrived. */
async function complete(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}

/** Repeated requests must not take effect twice. */
function withKey({ method = 'GET', headers }: RequestInit): Headers {
  const all = new Headers(headers);
  if (MUTATING.includes(method) && !all.has('Idempotency-Key')) all.set('Idempotency-Key', randomUUID());
  return all;
}

const addressOf = (input: string | URL | Request): string => (input instanceof Request ? input.url : String(input));
