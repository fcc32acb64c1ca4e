import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the few open uploads among all stored builds: for their sum in each scrape, and for those that have ended. */
export class IndexOpenUploads1796760000004 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_stored_build_open_upload`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_stored_build_open_upload ON stored_build (organization_id) WHERE is_open_upload`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_stored_build_open_upload`);
  }
}
