import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the downloads of a project by day. */
export class IndexDownloadsByProject1763683000003 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_download_project`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_build_download_project ON build_download (project_id, started_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_download_project`);
  }
}
