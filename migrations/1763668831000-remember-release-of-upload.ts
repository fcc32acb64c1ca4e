import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Whoever completes a resumable upload again is told its release, too. */
export class RememberReleaseOfUpload1763668831000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE resumable_upload ADD COLUMN release_id uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE resumable_upload DROP COLUMN release_id`);
  }
}
