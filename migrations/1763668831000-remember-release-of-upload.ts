import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Stores the release of a resumable upload, so that a repeated completion returns it. */
export class RememberReleaseOfUpload1763668831000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE resumable_upload ADD COLUMN release_id uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE resumable_upload DROP COLUMN release_id`);
  }
}
