import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Lets a project be deleted without a scan of all suppressions. */
export class IndexSuppressionsByProject1763668872000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_suppression_project`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_suppression_project ON suppression (project_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_suppression_project`);
  }
}
