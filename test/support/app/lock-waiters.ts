import { type TestApp } from './test-app';

/** Whether a session of the application's database waits for a lock. */
export async function isWaitingForLock(app: TestApp): Promise<boolean> {
  const waiters = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await app.sql(waiters)).length > 0;
}

/**
 * A FROM clause whose rows are the sessions that wait for a lock of a table of the current database. Test files run at the same time in
 * clones of one database, in which a table has the same id.
 */
export const lockWaiters = (table: string): string =>
  `pg_locks WHERE NOT granted AND relation = '${table}'::regclass
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
