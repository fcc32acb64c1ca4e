import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the newest builds of a branch. */
export class IndexBuildsByBranch1795500000001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_branch`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_build_branch ON build (project_id, branch, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_branch`);
  }
}
