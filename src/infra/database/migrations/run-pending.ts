import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { type Log } from '../embedded/embedded-postgres-home';
import { retryOnLockTimeout } from './retry-on-lock-timeout';

/**
 * Runs the migrations that have not run, in their order, each in a transaction of its own unless it says `transaction = false`.
 * The caller holds the migration lock.
 * @returns how many there were.
 */
export async function runPending(dataSource: DataSource, runner: QueryRunner, log: Log): Promise<number> {
  const executor = new MigrationExecutor(dataSource, runner);
  const execute = (migration: Migration): Promise<unknown> => executor.executeMigration(migration);
  const pending = await executor.getPendingMigrations();
  for (const migration of pending) {
    if (migration.instance?.transaction === false) {
      // An index that is built CONCURRENTLY, or rows in batches: nobody waits behind them, so they may wait for everybody.
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
