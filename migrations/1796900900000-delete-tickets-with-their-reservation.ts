import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** After a long stop of the service, a reservation may be deleted before the ticket that refers to it. */
export class DeleteTicketsWithTheirReservation1796900900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE download_ticket ADD CONSTRAINT fk_download_ticket_of_reservation
      FOREIGN KEY (organization_id, reservation_id) REFERENCES reservation (organization_id, id) ON DELETE CASCADE NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE download_ticket DROP CONSTRAINT fk_download_ticket_of_reservation`);
  }
}
