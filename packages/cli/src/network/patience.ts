import { type ApiError, isTransient, type Retries } from '@agate/client';
import { isCertificateError } from './connection-errors';

const DEFAULT_RETRY_MS = 15 * 60_000;
/** How long to try an address that has never answered. It is more often wrong than away for a while. */
const FIRST_CONTACT_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Tries after failures that time rarely heals: a defect of the service, an address that a store rejects. */
const FEW_TRIES = 8;
/** Pauses that are worth a line, because nothing else happens. */
const NOTABLE_PAUSE_MS = 5_000;

export interface PatienceOptions {
  /** Milliseconds after the first failure. Undefined for the default. */
  readonly retryFor: number | undefined;
  /** Milliseconds since any time. */
  readonly now: () => number;
  /** A number from 0 up to, and not including, 1. */
  readonly random: () => number;
  /** Explains a pause. */
  readonly say: (text: string) => void;
}

/** Decides how long requests are repeated that fail for a while. */
export class Patience {
  private hasAnswer = false;

  constructor(private readonly options: PatienceOptions) {}

  /** Takes note that the service has responded, with any status. */
  answered(): void {
    this.hasAnswer = true;
  }

  /** For one piece of work: how long to wait after each of its failures. Null gives up. */
  readonly newRetries = (): Retries => {
    const { now } = this.options;
    const since = { first: 0, tries: 0 };
    return (error) => {
      this.hasAnswer ||= error.status > 0;
      since.tries += 1;
      if (since.tries === 1) since.first = now();
      const left = since.first + this.patienceWith(error) - now();
      const pause = this.pauseBefore(since.tries, error);
      if (isCertificateError(error.cause) || pause > left) return null;
      if (!isWorthWaiting(error) && since.tries >= FEW_TRIES) return null;
      if (pause >= NOTABLE_PAUSE_MS)
        this.options.say(`${reasonOf(error)} Trying again in ${Math.ceil(pause / 1000)} s.`);
      return pause;
    };
  };

  private patienceWith({ status }: ApiError): number {
    const { retryFor } = this.options;
    if (retryFor !== undefined) return retryFor;
    return status === 0 && !this.hasAnswer ? FIRST_CONTACT_MS : DEFAULT_RETRY_MS;
  }

  /** Random, so that jobs that failed together do not return together. Never shorter than the service demands. */
  private pauseBefore(tries: number, { retryAfterSeconds }: ApiError): number {
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
    return Math.max((retryAfterSeconds ?? 0) * 1_000, Math.round(longest * this.options.random()));
  }
}

/** Whether time heals the failure: no connection, an overloaded service, a request that another one holds up. */
const isWorthWaiting = (error: ApiError): boolean => (error.status < 500 ? isTransient(error) : error.status === 503);

function reasonOf({ status }: ApiError): string {
  if (status === 0) return 'The service cannot be reached.';
  if (status === 429) return 'The service limits requests.';
  return status === 503 ? 'The service is not available.' : `The service responded with status ${status}.`;
}
