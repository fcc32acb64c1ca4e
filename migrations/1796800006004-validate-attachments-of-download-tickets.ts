import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Blocks no query. */
export class ValidateAttachmentsOfDownloadTickets1796800006004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE download_ticket VALIDATE CONSTRAINT fk_download_ticket_attachment`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE download_ticket
        DROP CONSTRAINT fk_download_ticket_attachment,
        ADD CONSTRAINT fk_download_ticket_attachment
          FOREIGN KEY (organization_id, attachment_id) REFERENCES attachment (organization_id, id) ON DELETE CASCADE NOT VALID`);
  }
}
