import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { StartupError } from '#kernel/errors/startup-error';
import { migrateJobs } from '#infra/jobs/migrate-jobs';
import { migrationDataSourceOptions, TIMEOUTS } from '../data-source-options';
import { isForbidden } from '../database-errors';
import { type Log } from '../embedded/embedded-postgres-home';
import { grantPrivileges, type Query } from '../roles/grant-privileges';
import { runPending } from './run-pending';
import { retryOnLockTimeout } from './retry-on-lock-timeout';

/** An arbitrary number that all versions of the service agree on. */
const MIGRATION_LOCK = 727_274;
const TURN_POLL_MS = 200;

/**
 * Runs pending migrations under an advisory lock, so that any number of processes may start at once: one migrates, the
 * others wait and find nothing to do (TypeORM itself takes no lock). The job queue's own schema goes first. When the service
 * runs as another role than the owner of the schema, that one is given its privileges, also on what is new.
 *
 * Processes of the previous release work meanwhile: nothing here waits long for a lock that others would wait behind.
 * @param ownerUrl connects as the role that owns the schema, or may make it
 * @param applicationUrl connects as the role that the service runs as; default: the owner
 * @param log is told when a table is in use.
 * @returns how many of our own migrations ran.
 * @throws StartupError when the owner may not do what is to be done, or a table stays in use.
 */
export async function migrateDatabase(
  ownerUrl: string,
  applicationUrl = ownerUrl,
  log: Log = () => undefined,
): Promise<number> {
  const role = applicationUrl === ownerUrl ? null : await roleOf(applicationUrl);
  const dataSource = await new DataSource(migrationDataSourceOptions(ownerUrl, 2)).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    await advisoryLock(runner);
    await retryOnLockTimeout((lockWaitMs) => migrateJobs(ownerUrl, lockWaitMs), { log });
    const count = await runPending(dataSource, runner, log);
    if (role !== null) await retryOnLockTimeout((lockWaitMs) => grantToApplication(runner, role, lockWaitMs), { log });
    return count;
  } catch (error) {
    throw isForbidden(error) ? notTheOwner(error) : error;
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await runner.release();
    await dataSource.destroy();
  }
}

/**
 * Asks again and again instead of waiting in the database: the process whose turn it is may build an index CONCURRENTLY, which
 * waits for every statement that has begun before. The two would wait for each other, and PostgreSQL would not notice.
 */
async function advisoryLock(runner: QueryRunner): Promise<void> {
  for (;;) {
    const asked = 'SELECT pg_try_advisory_lock($1) AS "isOurs"';
    const [{ isOurs }] = (await runner.query(asked, [MIGRATION_LOCK])) as [{ isOurs: boolean }];
    if (isOurs) return;
    await sleep(TURN_POLL_MS);
  }
}

async function grantToApplication(runner: QueryRunner, role: string, lockWaitMs: number): Promise<void> {
  await runner.query(`SET lock_timeout = ${lockWaitMs}`);
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
