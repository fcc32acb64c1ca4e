import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { type Log } from '../embedded/embedded-postgres-home';
import { retryOnLockTimeout } from './retry-on-lock-timeout';

/**
 * Runs pending migrations in order, each in a transaction of its own unless it declares `transaction = false`. The caller holds the
 * migration lock.
 * @returns how many ran.
 */
export async function runPending(dataSource: DataSource, runner: QueryRunner, log: Log): Promise<number> {
  const executor = new MigrationExecutor(dataSource, runner);
  const execute = (migration: Migration): Promise<unknown> => executor.executeMigration(migration);
  const pending = await executor.getPendingMigrations();
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
