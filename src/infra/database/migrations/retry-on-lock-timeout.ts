import { setTimeout as sleep } from 'node:timers/promises';
import { QueryFailedError } from 'typeorm';
import { StartupError } from '#kernel/errors/startup-error';
import { isLockedOut } from '../database-errors';
import { type Log } from '../embedded/embedded-postgres-home';

/** Whoever wants a table after a migration that waits for it waits behind that one: so long at most. */
const WAIT_MS = 500;
/** Now and then longer: PostgreSQL calls off an autovacuum that is in the way, but only for who waits past `deadlock_timeout`. */
const LONG_WAIT_MS = 1_500;
const LONG_WAIT_EVERY = 5;
/** Meanwhile everybody else gets on. */
const PAUSE_MS = 2_500;
const TRIES = 200;

export interface RetryOptions {
  readonly log: Log;
  readonly tries?: number;
  readonly pauseMs?: number;
}

/**
 * Does something that needs tables which others use: tries, and while a long transaction (a backup's, a report's) is in the
 * way, lets everybody else work before it tries again.
 * @param work is told for how many milliseconds it may wait for a lock; what it did is undone when it fails.
 * @throws StartupError after some ten minutes.
 */
export async function retryOnLockTimeout<T>(
  work: (lockWaitMs: number) => Promise<T>,
  patience: RetryOptions,
): Promise<T> {
  const { log, tries = TRIES, pauseMs = PAUSE_MS } = patience;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt % LONG_WAIT_EVERY === 0 ? LONG_WAIT_MS : WAIT_MS);
    } catch (error) {
      if (!isLockedOut(error)) throw error;
      if (attempt === tries) throw stillInUse(error);
      if (attempt === 1)
        log(`A migration waits for a table that somebody uses, and is tried again: ${statementOf(error)}`);
    }
    await sleep(pauseMs);
  }
}

const stillInUse = (cause: unknown): StartupError =>
  new StartupError(
    `A migration needs a table that somebody uses all the time: ${statementOf(cause)}. Look for a long transaction, such as a ` +
      "backup's (pg_stat_activity, the oldest xact_start), end it or wait for it, and start again.",
    { cause },
  );

const statementOf = (error: unknown): string =>
  error instanceof QueryFailedError ? error.query.replace(/\s+/g, ' ').trim().slice(0, 100) : String(error);
