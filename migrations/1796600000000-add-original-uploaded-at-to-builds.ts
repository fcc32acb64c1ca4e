import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** When the file of a build was uploaded to the service that it was imported from, as the upload said. */
export class AddOriginalUploadedAtToBuilds1796600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE build ADD COLUMN original_uploaded_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE build DROP COLUMN original_uploaded_at');
  }
}
