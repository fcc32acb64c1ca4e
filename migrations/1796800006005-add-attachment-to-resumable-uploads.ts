import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The attachment that an upload in parts has made. */
export class AddAttachmentToResumableUploads1796800006005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE resumable_upload ADD COLUMN attachment_id uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE resumable_upload DROP COLUMN attachment_id`);
  }
}
