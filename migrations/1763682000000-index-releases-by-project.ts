import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the newest releases of all channels of a project. */
export class IndexReleasesByProject1763682000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_release_project`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_release_project ON release (project_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_release_project`);
  }
}
