import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the icon of a project: that of its newest build with one. */
export class IndexBuildsWithIcon1763682000002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_with_icon`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_build_with_icon ON build (project_id, id) WHERE icon_media_type IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_with_icon`);
  }
}
