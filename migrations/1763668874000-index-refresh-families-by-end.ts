import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds ended sessions without a scan. */
export class IndexRefreshFamiliesByEnd1763668874000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_refresh_family_expires_at`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_refresh_family_expires_at ON refresh_family (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_refresh_family_expires_at`);
  }
}
