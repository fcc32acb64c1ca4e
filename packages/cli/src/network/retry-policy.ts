import { type ApiError, isTransient, type Retries } from '@agate/client';
import { isCertificateError } from '../output/connection-errors';

const DEFAULT_RETRY_MS = 15 * 60_000;
/** The time limit for an address that has never responded. Such an address is probably wrong. */
const FIRST_CONTACT_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** The maximum number of attempts after failures that are rarely temporary: a defect of the service, an address that a store rejects. */
const MAX_ATTEMPTS = 8;
/** Longer pauses are reported on a line, because nothing else happens. */
const NOTABLE_PAUSE_MS = 5_000;

export interface RetryPolicyOptions {
  /** In milliseconds, counted from the first failure. Undefined for the default. */
  readonly retryFor: number | undefined;
  /** Milliseconds since an arbitrary time. */
  readonly now: () => number;
  /** A number from 0 up to, and not including, 1. */
  readonly random: () => number;
  /** Reports a pause. */
  readonly say: (text: string) => void;
}

/** Decides how long requests with temporary failures are retried. */
export class RetryPolicy {
  private hasAnswer = false;

  constructor(private readonly options: RetryPolicyOptions) {}

  /** Records that the service has responded, with any status. */
  answered(): void {
    this.hasAnswer = true;
  }

  /** The pauses after the failures of one piece of work. Null gives up. */
  readonly newRetries = (): Retries => {
    const { now } = this.options;
    const since = { first: 0, attempts: 0 };
    return (error) => {
      this.hasAnswer ||= error.status > 0;
      since.attempts += 1;
      if (since.attempts === 1) since.first = now();
      const left = since.first + this.timeLimitFor(error) - now();
      const pause = this.pauseBefore(since.attempts, error);
      if (isCertificateError(error.cause) || pause > left) return null;
      if (!isTemporary(error) && since.attempts >= MAX_ATTEMPTS) return null;
      if (pause >= NOTABLE_PAUSE_MS)
        this.options.say(`${reasonOf(error)} Trying again in ${Math.ceil(pause / 1000)} s.`);
      return pause;
    };
  };

  private timeLimitFor({ status }: ApiError): number {
    const { retryFor } = this.options;
    if (retryFor !== undefined) return retryFor;
    return status === 0 && !this.hasAnswer ? FIRST_CONTACT_MS : DEFAULT_RETRY_MS;
  }

  /** The pause is random, so that jobs that failed together do not retry together. It is never shorter than the service demands. */
  private pauseBefore(attempts: number, { retryAfterSeconds }: ApiError): number {
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1));
    return Math.max((retryAfterSeconds ?? 0) * 1_000, Math.round(longest * this.options.random()));
  }
}

/** Whether the failure is temporary: no connection, an overloaded service, or a running request with the same key. */
const isTemporary = (error: ApiError): boolean => (error.status < 500 ? isTransient(error) : error.status === 503);

function reasonOf({ status }: ApiError): string {
  if (status === 0) return 'The service cannot be reached.';
  if (status === 429) return 'The service limits requests.';
  return status === 503 ? 'The service is not available.' : `The service responded with status ${status}.`;
}
