import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the newest builds of a version. */
export class IndexBuildsByVersion1795500000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_version`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_build_version ON build (project_id, version, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_version`);
  }
}
