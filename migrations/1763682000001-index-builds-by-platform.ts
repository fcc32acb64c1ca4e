import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the newest build of a platform, also when the project has none. */
export class IndexBuildsByPlatform1763682000001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_platform`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_build_platform ON build (project_id, platform, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_platform`);
  }
}
