import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A download ticket can reference only a reservation of its own organization. */
export class BindTicketsToTheirTenant1763668806000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE reservation ADD CONSTRAINT uq_reservation_organization UNIQUE (organization_id, id)`,
    );
    await runner.query(`ALTER TABLE download_ticket DROP CONSTRAINT fk_download_ticket_reservation`);
    await runner.query(`
      ALTER TABLE download_ticket ADD CONSTRAINT fk_download_ticket_reservation
        FOREIGN KEY (organization_id, reservation_id) REFERENCES reservation (organization_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE download_ticket DROP CONSTRAINT fk_download_ticket_reservation`);
    await runner.query(`
      ALTER TABLE download_ticket ADD CONSTRAINT fk_download_ticket_reservation
        FOREIGN KEY (reservation_id) REFERENCES reservation (id)`);
    await runner.query(`ALTER TABLE reservation DROP CONSTRAINT uq_reservation_organization`);
  }
}
