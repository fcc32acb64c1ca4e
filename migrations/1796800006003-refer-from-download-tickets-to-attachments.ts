import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The tickets of an attachment end with it. */
export class ReferFromDownloadTicketsToAttachments1796800006003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE download_ticket ADD CONSTRAINT fk_download_ticket_attachment
      FOREIGN KEY (organization_id, attachment_id) REFERENCES attachment (organization_id, id) ON DELETE CASCADE NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE download_ticket DROP CONSTRAINT fk_download_ticket_attachment`);
  }
}
