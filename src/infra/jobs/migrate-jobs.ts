import { Logger, runMigrations } from 'graphile-worker';
import { Pool } from 'pg';

/**
 * Brings the queue's own schema (`graphile_worker`) up to date. Part of migrating the database: the caller holds the
 * migration lock, and the role may create schemas. Workers never do this; they refuse to start on an old schema.
 * @param lockWaitMs how long it may wait for a table; when that is not enough it fails, and goes on from there next time.
 */
export async function migrateJobs(databaseUrl: string, lockWaitMs: number): Promise<void> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 1,
    application_name: 'agate-migrate',
    lock_timeout: lockWaitMs,
  });
  // A lost connection fails the statement that runs; unheard, the same event would end the process.
  const heard = (): void => undefined;
  pool.on('error', heard).on('connect', (client) => client.on('error', heard));
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => heard) });
  } finally {
    await pool.end();
  }
}
