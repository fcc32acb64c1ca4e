import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the builds of a project that retention has announced to delete. */
export class IndexBuildsByExpiry1796900200006 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_expires_at`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_build_expires_at ON build (project_id, id) WHERE expires_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_expires_at`);
  }
}
