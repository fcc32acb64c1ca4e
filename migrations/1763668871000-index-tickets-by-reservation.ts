import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Lets a reservation be deleted without a scan of all tickets. */
export class IndexTicketsByReservation1763668871000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_download_ticket_reservation`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_download_ticket_reservation ON download_ticket (reservation_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_download_ticket_reservation`);
  }
}
