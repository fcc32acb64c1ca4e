import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the builds whose time in the trash has ended. */
export class IndexBuildsByDeletion1796900200003 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_deleted_at`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_build_deleted_at ON build (deleted_at) WHERE deleted_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_deleted_at`);
  }
}
