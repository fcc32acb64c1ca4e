import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The attachment that a ticket downloads. Without one it downloads the artifact of the build. */
export class AddAttachmentToDownloadTickets1796800006001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE download_ticket ADD COLUMN attachment_id uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE download_ticket DROP COLUMN attachment_id`);
  }
}
