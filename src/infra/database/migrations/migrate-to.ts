import { DataSource, MigrationExecutor } from 'typeorm';
import { migrateJobs } from '#infra/jobs/migrate-jobs';
import { migrationDataSourceOptions } from '../data-source-options';
import { runPending } from './migrate';

/**
 * Gives a database without data the schema of an earlier version of the service: reverts all migrations that the version did not have,
 * and runs the others. The job queue gets its present schema. No process may use the database.
 * @param names names of migrations, as in the table `migration`.
 */
export async function migrateTo(ownerUrl: string, names: ReadonlySet<string>): Promise<void> {
  await migrateJobs(ownerUrl, 0);
  const dataSource = await new DataSource(migrationDataSourceOptions(ownerUrl, 2)).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    const executor = new MigrationExecutor(dataSource, runner);
    while ((await executor.getExecutedMigrations()).some(({ name }) => !names.has(name))) {
      await executor.undoLastMigration();
    }
    await runPending(
      dataSource,
      runner,
      () => undefined,
      (name) => names.has(name),
    );
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}
