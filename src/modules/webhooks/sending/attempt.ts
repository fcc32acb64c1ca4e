import { type DeliveryError } from '../webhook';

/** The outcome of one request to an endpoint. */
export interface Attempt {
  /** Null without a response. */
  readonly status: number | null;
  /** Null when the endpoint accepted the message. */
  readonly error: DeliveryError | null;
  readonly tookMs: number;
  /** The start of the response's body. */
  readonly answer: string | null;
  /** The time that the endpoint asks for, in milliseconds; null when it does not say. */
  readonly retryAfterMs: number | null;
}

/** What an outcome means for the webhook: `sent`, `gone` (never again), `endpoint` (it fails as a whole), `event` (it rejects this event). */
export type Verdict = 'sent' | 'gone' | 'endpoint' | 'event';

/** These statuses of the client class say that the endpoint cannot answer now. */
const BUSY = new Set([408, 425, 429]);

export function verdictOn({ status, error }: Pick<Attempt, 'status' | 'error'>): Verdict {
  if (error === null) return 'sent';
  if (status === 410) return 'gone';
  const isRejection = status !== null && status >= 400 && status < 500 && !BUSY.has(status);
  return isRejection || error === 'internal' ? 'event' : 'endpoint';
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits after the failures of an endpoint, those of the Standard Webhooks. The last one repeats. */
const ENDPOINT_STEPS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** The waits after an event was rejected. With the sixth attempt, within an hour, it is parked. */
const EVENT_STEPS = [5 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];
/** The longest wait that an endpoint may ask for. */
const MAX_RETRY_AFTER_MS = HOUR;
/** Endpoints that failed together are not retried together. */
const JITTER = 0.1;

/**
 * The time to wait after a failure. Null when the event is parked instead.
 * @param failures the number of failures before this one. @param random from 0 to 1.
 */
export function waitAfter(
  verdict: 'endpoint' | 'event',
  failures: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const steps = verdict === 'event' ? EVENT_STEPS : ENDPOINT_STEPS;
  if (verdict === 'event' && failures >= steps.length) return null;
  const step = steps[Math.min(failures, steps.length - 1)] ?? 0;
  return Math.max(step * (1 + JITTER * random), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}

/** Reads `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date. Null for anything else. */
export function retryAfterOf(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  const date = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(date - now.getTime(), 0);
}
