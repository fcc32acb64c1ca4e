import { StoreError, toStoreUnavailable } from '#infra/blob/store-errors';
import { afterTicks, TICK_MS } from '#infra/concurrency/ticks';
import { adviceOn, Finding } from './advice';
import { CHECK_NAMES, type CheckName, type CheckResult, type Diagnosis } from './diagnosis';

/** Nine seconds for all small checks together, because the request waits for them. */
const TIMEOUT_TICKS = 9_000 / TICK_MS;
/** The time for megabytes over a slow line. */
const LARGE_TIMEOUT_TICKS = 20_000 / TICK_MS;
/** Durations are rounded up to this, so that a caller cannot measure the internal network with them. */
const STEP_MS = 100;

/** The result of an attempt: its value, or why it failed. */
export type Outcome<T> = { readonly durationMs: number } & (
  { readonly value: T; readonly failure: null } | { readonly failure: StoreError | Finding }
);

/** Runs checks within a common timeout and records their results. */
export class Checklist {
  private readonly results = new Map<CheckName, CheckResult>();
  private readonly aborting = new AbortController();
  private stopTimeout = afterTicks(TIMEOUT_TICKS, () => this.aborting.abort());

  /** Aborts when the timeout has passed. */
  get signal(): AbortSignal {
    return this.aborting.signal;
  }

  /** Gives the next checks 20 seconds from now, unless the timeout has passed. For a check that sends megabytes. */
  extend(): void {
    this.stopTimeout();
    this.stopTimeout = afterTicks(LARGE_TIMEOUT_TICKS, () => this.aborting.abort());
  }

  /** Runs and records a check. */
  async check<T>(name: CheckName, work: () => Promise<T> | T): Promise<Outcome<T>> {
    const outcome = await this.attempt(work);
    this.record(name, outcome);
    return outcome;
  }

  /** Runs work without recording it, for work that several checks depend on. */
  async attempt<T>(work: () => Promise<T> | T): Promise<Outcome<T>> {
    const startedMs = performance.now();
    const durationMs = (): number => Math.ceil((performance.now() - startedMs) / STEP_MS) * STEP_MS;
    try {
      return { value: await this.withTimeout(work), failure: null, durationMs: durationMs() };
    } catch (error) {
      return { failure: failureOf(error), durationMs: durationMs() };
    }
  }

  record(name: CheckName, { failure, durationMs }: Pick<Outcome<unknown>, 'failure' | 'durationMs'>): void {
    const { reason, message } = failure ? adviceOn(name, failure) : { reason: null, message: 'Good.' };
    this.results.set(name, { name, status: failure ? 'failed' : 'passed', message, reason, durationMs });
  }

  /** Ends the diagnosis. Checks without a result are skipped. */
  close(): Diagnosis {
    this.stopTimeout();
    const message = 'Skipped, because an earlier check failed.';
    const checks = CHECK_NAMES.map(
      (name): CheckResult =>
        this.results.get(name) ?? { name, status: 'skipped', message, reason: null, durationMs: 0 },
    );
    return { ok: checks.every(({ status }) => status === 'passed'), checks };
  }

  private async withTimeout<T>(work: () => Promise<T> | T): Promise<T> {
    const { signal } = this.aborting;
    signal.throwIfAborted();
    let stop = (): void => undefined;
    const timedOut = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop);
    });
    try {
      return await Promise.race([work(), timedOut]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

/** Any error as a finding or a store error. */
function failureOf(error: unknown): StoreError | Finding {
  if (error instanceof Finding) return error;
  const { cause } = toStoreUnavailable(error);
  return cause instanceof StoreError ? cause : new StoreError('failing', 'unknown', undefined, '');
}
