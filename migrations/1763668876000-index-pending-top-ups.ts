import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Lists and prunes pending top-ups without a scan. */
export class IndexPendingTopUps1763668876000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_top_up_pending`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_top_up_pending ON top_up (created_at) WHERE state = 'pending'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_top_up_pending`);
  }
}
