import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the oldest rows of the download log. */
export class IndexDownloadsByStart1763672901000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_download_started`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_build_download_started ON build_download (started_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_download_started`);
  }
}
