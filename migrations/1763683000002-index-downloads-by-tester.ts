import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the newest downloads of a tester. */
export class IndexDownloadsByTester1763683000002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_download_of_tester`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_build_download_of_tester ON build_download (tester_id, id) WHERE tester_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_download_of_tester`);
  }
}
