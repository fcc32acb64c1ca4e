import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** When the mail server refused a mail about a release for good. */
export class AddFailedAtToReleaseMails1796750000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE release_mail ADD COLUMN failed_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE release_mail DROP COLUMN failed_at`);
  }
}
