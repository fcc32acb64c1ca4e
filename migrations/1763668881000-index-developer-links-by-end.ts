import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds expired links of developers without a scan. */
export class IndexDeveloperLinksByEnd1763668881000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_developer_link_expires_at`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_developer_link_expires_at ON developer_link (expires_at)
        WHERE purpose <> 'verify_email' OR used_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_developer_link_expires_at`);
  }
}
