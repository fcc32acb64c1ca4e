import { Client } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { StartupError } from '#kernel/errors/startup-error';
import { migrateJobs } from '#platform/jobs/migrate-jobs';
import { dataSourceOptions, TIMEOUTS } from './data-source-options';
import { isForbidden } from './database-errors';
import { grantPrivileges, type Query } from './grant-privileges';

/** An arbitrary number that all versions of the service agree on. */
const MIGRATION_LOCK = 727_274;

/**
 * Runs pending migrations under an advisory lock, so that any number of processes may start at once: one migrates, the
 * others wait and find nothing to do (TypeORM itself takes no lock). The job queue's own schema goes first. When the service
 * runs as another role than the owner of the schema, that one is given its privileges, also on what is new.
 * @param ownerUrl connects as the role that owns the schema, or may make it
 * @param applicationUrl connects as the role that the service runs as; default: the owner
 * @returns how many of our own migrations ran.
 * @throws StartupError when the owner may not do what is to be done.
 */
export async function migrateDatabase(ownerUrl: string, applicationUrl = ownerUrl): Promise<number> {
  const role = applicationUrl === ownerUrl ? null : await roleOf(applicationUrl);
  const options = dataSourceOptions(ownerUrl, 3);
  const dataSource = await new DataSource({
    ...options,
    extra: {
      ...(options.extra as object),
      statement_timeout: 0,
      lock_timeout: 0,
      idle_in_transaction_session_timeout: 0,
    },
  }).initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrateJobs(ownerUrl);
    const { length } = await dataSource.runMigrations();
    if (role !== null) await grantToApplication(lock, role);
    return length;
  } catch (error) {
    throw isForbidden(error) ? notTheOwner(error) : error;
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await lock.release();
    await dataSource.destroy();
  }
}

async function grantToApplication(runner: QueryRunner, role: string): Promise<void> {
  const query: Query = (text, parameters) => runner.query(text, parameters);
  const [owner] = await query<{ name: string }>('SELECT current_user AS name');
  if (owner?.name !== role) await grantPrivileges(query, role);
}

/** The name of the role that an address leads to; it need not stand in it. */
async function roleOf(url: string): Promise<string> {
  const client = new Client({ connectionString: url, ...TIMEOUTS });
  await client.connect();
  try {
    const { rows } = await client.query<{ role: string }>('SELECT current_user AS role');
    return rows[0]?.role ?? '';
  } finally {
    await client.end();
  }
}

const notTheOwner = (cause: unknown): StartupError =>
  new StartupError(
    `The database role may not bring the schema up to date (${cause instanceof Error ? cause.message : String(cause)}). ` +
      'Name the role that owns it in DATABASE_OWNER_URL: docs/operations.md, "Two database roles".',
    { cause },
  );
