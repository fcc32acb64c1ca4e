import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the testers whose digest is missing. */
export class IndexTestersWithoutDigest1763683000001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_tester_without_digest`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_tester_without_digest ON tester (id) WHERE address_digest IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_tester_without_digest`);
  }
}
