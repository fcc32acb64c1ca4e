import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds accounts whose address was never verified, oldest first. */
export class IndexUnverifiedDevelopers1763672902000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_developer_unverified`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_developer_unverified ON developer (created_at) WHERE email_verified_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_developer_unverified`);
  }
}
