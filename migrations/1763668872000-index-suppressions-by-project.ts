import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A project is deleted without reading the suppressions of all others. */
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
