import { StoreError, toStoreUnavailable } from '#infra/blob/store-errors';
import { adviceOn, Finding } from './advice';
import { CHECK_NAMES, type CheckName, type CheckResult, type Diagnosis } from './check';

/** All checks together: a customer waits for them. */
const BUDGET_MS = 9_000;
/** Durations are told so coarsely that they do not measure somebody else's network. */
const STEP_MS = 100;

/** What came of something that was tried. */
export type Outcome<T> = { readonly durationMs: number } & (
  { readonly value: T; readonly failure: null } | { readonly failure: StoreError | Finding }
);

/** Runs checks within their time, and notes what came of them. */
export class Checklist {
  private readonly results = new Map<CheckName, CheckResult>();
  private readonly ending = new AbortController();
  private readonly timer = setTimeout(() => this.ending.abort(), BUDGET_MS);

  /** Fires when the time for all checks is over. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  async check<T>(name: CheckName, work: () => Promise<T> | T): Promise<Outcome<T>> {
    const outcome = await this.attempt(work);
    this.note(name, outcome);
    return outcome;
  }

  /** Tries without noting: what several checks hang on. */
  async attempt<T>(work: () => Promise<T> | T): Promise<Outcome<T>> {
    const begunMs = performance.now();
    const durationMs = (): number => Math.ceil((performance.now() - begunMs) / STEP_MS) * STEP_MS;
    try {
      return { value: await this.inTime(work), failure: null, durationMs: durationMs() };
    } catch (error) {
      return { failure: failureOf(error), durationMs: durationMs() };
    }
  }

  note(name: CheckName, { failure, durationMs }: Pick<Outcome<unknown>, 'failure' | 'durationMs'>): void {
    const message = failure ? adviceOn(name, failure) : 'Good.';
    this.results.set(name, { name, status: failure ? 'failed' : 'passed', message, durationMs });
  }

  /** Ends the time. What was not tried counts as skipped. */
  close(): Diagnosis {
    clearTimeout(this.timer);
    const message = 'Not tried, because of what failed before.';
    const checks = CHECK_NAMES.map(
      (name): CheckResult => this.results.get(name) ?? { name, status: 'skipped', message, durationMs: 0 },
    );
    return { ok: checks.every(({ status }) => status === 'passed'), checks };
  }

  private async inTime<T>(work: () => Promise<T> | T): Promise<T> {
    const { signal } = this.ending;
    signal.throwIfAborted();
    let stop = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop);
    });
    try {
      return await Promise.race([work(), late]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

/** Whatever was thrown, as one of the troubles that a store can be in. */
function failureOf(error: unknown): StoreError | Finding {
  if (error instanceof Finding) return error;
  const { cause } = toStoreUnavailable(error);
  return cause instanceof StoreError ? cause : new StoreError('failing', 'unknown', undefined, '');
}
