import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The developer or project access token of an upload in one request, to limit how many they have at the same time. */
export class CountUploadsAtOnce1763675893000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE artifact_upload ADD COLUMN uploader text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE artifact_upload DROP COLUMN uploader`);
  }
}
