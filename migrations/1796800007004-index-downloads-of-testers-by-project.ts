import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the newest downloads of a range of a project's testers without reading the rows. */
export class IndexDownloadsOfTestersByProject1796800007004 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_download_tester_build`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_build_download_tester_build ON build_download (project_id, tester_id, id, build_id)
       WHERE tester_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_download_tester_build`);
  }
}
