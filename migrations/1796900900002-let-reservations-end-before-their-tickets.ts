import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The new foreign key replaces this one, which would refuse to delete the reservation. */
export class LetReservationsEndBeforeTheirTickets1796900900002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE download_ticket DROP CONSTRAINT fk_download_ticket_reservation`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE download_ticket ADD CONSTRAINT fk_download_ticket_reservation
        FOREIGN KEY (organization_id, reservation_id) REFERENCES reservation (organization_id, id)`);
  }
}
