import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Links hold no credit, so that what they hold is not summed. The previous release sums it without the index. */
export class DropIndexOfHolders1796760000002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_reservation_holder`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ix_reservation_holder ON reservation (holder, expires_at) WHERE state = 'active' AND holder IS NOT NULL`,
    );
  }
}
