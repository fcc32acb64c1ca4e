import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Blocks no query. */
export class ValidateReservationsOfDownloadTickets1796900900001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE download_ticket VALIDATE CONSTRAINT fk_download_ticket_of_reservation`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE download_ticket
        DROP CONSTRAINT fk_download_ticket_of_reservation,
        ADD CONSTRAINT fk_download_ticket_of_reservation
          FOREIGN KEY (organization_id, reservation_id) REFERENCES reservation (organization_id, id) ON DELETE CASCADE NOT VALID`);
  }
}
