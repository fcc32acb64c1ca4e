import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the builds in the trash of a project, newest first. */
export class IndexTrashOfBuilds1796900200002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_trash`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_build_trash ON build (project_id, id) WHERE deleted_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_trash`);
  }
}
