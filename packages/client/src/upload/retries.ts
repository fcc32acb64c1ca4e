import { type ApiError } from '../api-error';

/** The number of attempts before the error of a request is reported. */
export const MAX_TRIES = 5;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const TRANSIENT_REASONS = [
  'upload_aborted',
  'upload_stalled',
  'upload_too_slow',
  'part_size_mismatch',
  'idempotency_in_flight',
];

/**
 * Milliseconds to wait after a failed attempt, counted from 1: twice the previous pause, or as long as the response demands; at most a
 * minute.
 */
export function pauseAfter(tries: number, error: ApiError): number {
  const demanded = (error.retryAfterSeconds ?? 0) * 1_000;
  return Math.min(LONGEST_PAUSE_MS, Math.max(demanded, FIRST_PAUSE_MS * 2 ** (tries - 1)));
}

/**
 * Decides after each failed attempt how many milliseconds to wait before the next one. Null gives up. An expired address is replaced before
 * the next attempt.
 */
export type Retries = (error: ApiError) => number | null;

/** A few attempts with growing pauses, because a person watches and can start again. */
export function fewRetries(): Retries {
  let tries = 0;
  return (error) => {
    tries += 1;
    if (tries === MAX_TRIES) return null;
    return isExpiredAddress(error) ? 0 : pauseAfter(tries, error);
  };
}

/**
 * Whether the same request can succeed shortly afterwards: there was no response, the service was overloaded, or the body was interrupted.
 */
export const isTransient = ({ status, reason }: ApiError): boolean =>
  [0, 408, 429].includes(status) || status >= 500 || TRANSIENT_REASONS.includes(reason ?? '');

/** Whether the address of a part has expired. Stores respond with 403 to an expired signature. */
export const isExpiredAddress = ({ status }: ApiError): boolean => [403, 404, 410].includes(status);

/** Resolves after `ms` milliseconds. @throws the reason of the signal when it aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
