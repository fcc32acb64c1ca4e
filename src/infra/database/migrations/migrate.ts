import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { StartupError } from '#kernel/errors/startup-error';
import { migrateJobs } from '#infra/jobs/migrate-jobs';
import { migrationDataSourceOptions, TIMEOUTS } from '../data-source-options';
import { isForbidden } from '../database-errors';
import { type Log } from '../embedded/embedded-postgres-home';
import { grantPrivileges, type Query } from '../roles/grant-privileges';
import { changed, one, rows } from '../sql';
import { retryOnLockTimeout } from './retry-on-lock-timeout';

/**
 * Runs pending migrations in order, each in a transaction of its own unless it declares `transaction = false`. The caller holds the
 * migration lock.
 * @param isWanted pending migrations that it rejects are not run.
 * @returns how many ran.
 */
export async function runPending(
  dataSource: DataSource,
  runner: QueryRunner,
  log: Log,
  isWanted: (name: string) => boolean = () => true,
): Promise<number> {
  const executor = new MigrationExecutor(dataSource, runner);
  const execute = (migration: Migration): Promise<unknown> => executor.executeMigration(migration);
  const pending = (await executor.getPendingMigrations()).filter(({ name }) => isWanted(name));
  for (const migration of pending) {
    if (migration.instance?.transaction === false) {
      // An index built CONCURRENTLY, or rows changed in batches: queries do not queue behind these, so they may wait without limit.
      await runner.query('SET lock_timeout = 0');
      await execute(migration);
      continue;
    }
    await retryOnLockTimeout(
      async (lockWaitMs) => {
        await runner.query(`SET lock_timeout = ${lockWaitMs}`);
        await runner.manager.transaction(() => execute(migration));
      },
      { log },
    );
  }
  return pending.length;
}

/**
 * Records, for earlier versions, which migrations took something away that they use. A later version that no longer used it works with
 * the schema, although it may not know the migration.
 */
async function recordMinVersions({ migrations }: DataSource, runner: QueryRunner): Promise<void> {
  for (const migration of migrations) {
    const { unusedSince } = migration as { readonly unusedSince?: string };
    if (unusedSince === undefined) continue;
    const name = migration.name ?? migration.constructor.name;
    const statement = 'UPDATE migration SET min_version = $2 WHERE name = $1 AND min_version IS DISTINCT FROM $2';
    await changed(runner, statement, [name, unusedSince]);
  }
}

/** Key of the advisory lock. It must never change, because processes of two versions may migrate concurrently. */
const MIGRATION_LOCK = 727_274;
const LOCK_POLL_MS = 200;

/**
 * Runs pending migrations under an advisory lock, so that any number of processes may start concurrently: one migrates, the others wait and
 * then find none pending (TypeORM itself takes no lock). The job queue's schema is migrated first. When the application has a role of
 * its own, that role is granted its privileges afterwards, also on new tables.
 *
 * Processes of the previous release keep serving, so no step waits long for a table lock.
 * @param ownerUrl connects as the role that owns the schema, or may create it.
 * @param applicationUrl connects as the application's role. By default the owner.
 * @param log receives a line when a table is in use.
 * @returns how many of the service's own migrations ran.
 * @throws StartupError when the role lacks a privilege, or a table stays locked for ten minutes.
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
    await takeMigrationLock(runner);
    await retryOnLockTimeout((lockWaitMs) => migrateJobs(ownerUrl, lockWaitMs), { log });
    const count = await runPending(dataSource, runner, log);
    await recordMinVersions(dataSource, runner);
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
 * Polls for the lock instead of waiting in the database. The process that holds it may build an index CONCURRENTLY, which waits for every
 * statement that started before; a waiting statement would deadlock with it, and PostgreSQL would not detect that.
 */
async function takeMigrationLock(runner: QueryRunner): Promise<void> {
  for (;;) {
    const lock = await one<{ taken: boolean }>(runner, 'SELECT pg_try_advisory_lock($1) AS taken', [MIGRATION_LOCK]);
    if (lock?.taken) return;
    await sleep(LOCK_POLL_MS);
  }
}

async function grantToApplication(runner: QueryRunner, role: string, lockWaitMs: number): Promise<void> {
  await runner.query(`SET lock_timeout = ${lockWaitMs}`);
  const query: Query = (text, parameters) => rows(runner, text, parameters);
  const [owner] = await query<{ name: string }>('SELECT current_user AS name');
  if (owner?.name !== role) await grantPrivileges(query, role);
}

/** The role that a URL logs in as. The URL need not contain its name. */
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
    `The database role may not migrate the schema (${cause instanceof Error ? cause.message : String(cause)}). ` +
      'Set DATABASE_OWNER_URL to the role that owns it: docs/operations.md, "Two database roles".',
    { cause },
  );
