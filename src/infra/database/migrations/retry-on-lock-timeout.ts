import { setTimeout as sleep } from 'node:timers/promises';
import { QueryFailedError } from 'typeorm';
import { StartupError } from '#kernel/errors/startup-error';
import { isLockedOut } from '../database-errors';
import { type Log } from '../embedded/embedded-postgres-home';

/** Lock timeout. Queries queue behind a waiting migration, so it is short. */
const WAIT_MS = 500;
/** Every fifth attempt waits past `deadlock_timeout`, because only then PostgreSQL cancels an autovacuum that holds the lock. */
const LONG_WAIT_MS = 1_500;
const LONG_WAIT_EVERY = 5;
/** Lets the queued queries run between two attempts. */
const PAUSE_MS = 2_500;
const MAX_ATTEMPTS = 200;

export interface RetryOptions {
  readonly log: Log;
  readonly attempts?: number;
  readonly pauseMs?: number;
}

/**
 * Runs work that locks tables in use. While a long transaction (a backup, a report) holds the lock, the work is retried with pauses, so
 * that other queries continue.
 * @param work receives its lock timeout in milliseconds. It must undo its changes when it fails.
 * @throws StartupError after about ten minutes.
 */
export async function retryOnLockTimeout<T>(
  work: (lockWaitMs: number) => Promise<T>,
  { log, attempts = MAX_ATTEMPTS, pauseMs = PAUSE_MS }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt % LONG_WAIT_EVERY === 0 ? LONG_WAIT_MS : WAIT_MS);
    } catch (error) {
      if (!isLockedOut(error)) throw error;
      if (attempt === attempts) throw stillInUse(error);
      if (attempt === 1) log(`A migration waits for a table that is in use and retries: ${statementOf(error)}`);
    }
    await sleep(pauseMs);
  }
}

const stillInUse = (cause: unknown): StartupError =>
  new StartupError(
    `A migration needs a table that stays in use: ${statementOf(cause)}. Find the long transaction, such as a backup ` +
      '(pg_stat_activity, the oldest xact_start), end it or wait for it, and start again.',
    { cause },
  );

const statementOf = (error: unknown): string =>
  error instanceof QueryFailedError ? error.query.replace(/\s+/g, ' ').trim().slice(0, 100) : String(error);
