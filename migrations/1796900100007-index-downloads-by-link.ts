import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Counts the downloads through one link. */
export class IndexDownloadsByLink1796900100007 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_download_link`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_build_download_link ON build_download (link_id, build_id) WHERE link_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_download_link`);
  }
}
