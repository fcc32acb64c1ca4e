import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Sums what a link holds without a scan. */
export class IndexReservationsByHolder1763669893001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_reservation_holder`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_reservation_holder ON reservation (holder, expires_at)
        WHERE state = 'active' AND holder IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_reservation_holder`);
  }
}
