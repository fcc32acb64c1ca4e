import { Logger, runMigrations } from 'graphile-worker';
import { Pool } from 'pg';

/**
 * Migrates the queue's own schema (`graphile_worker`). The caller holds the migration lock, and its role may create schemas.
 * Workers never migrate; they refuse to start on an old schema.
 * @param lockWaitMs lock timeout. When it expires the migration fails, and the next call continues with the steps that are left.
 */
export async function migrateJobs(databaseUrl: string, lockWaitMs: number): Promise<void> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 1,
    application_name: 'agate-migrate',
    lock_timeout: lockWaitMs,
  });
  // A lost connection already fails the running statement. Without a listener the error event would end the process.
  const ignore = (): void => undefined;
  pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => ignore) });
  } finally {
    await pool.end();
  }
}
