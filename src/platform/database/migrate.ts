import { DataSource } from 'typeorm';
import { migrateJobs } from '#platform/jobs/migrate-jobs';
import { patientDataSourceOptions } from './data-source-options';

/** An arbitrary number that all versions of the service agree on. */
const MIGRATION_LOCK = 727_274;

/**
 * Runs pending migrations under an advisory lock, so that any number of processes may start at once: one migrates, the
 * others wait and find nothing to do (TypeORM itself takes no lock). The job queue's own schema goes first.
 * @returns how many of our own migrations ran.
 */
export async function migrateDatabase(url: string): Promise<number> {
  const dataSource = await new DataSource(patientDataSourceOptions(url, 3)).initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrateJobs(url);
    return (await dataSource.runMigrations()).length;
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await lock.release();
    await dataSource.destroy();
  }
}
