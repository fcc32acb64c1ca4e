import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The owner of the credential that started a resumable upload. Null for uploads of the previous release. */
export class RecordCreatorsOfUploads1763681000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE resumable_upload ADD COLUMN created_by_kind text, ADD COLUMN created_by_id uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE resumable_upload DROP COLUMN created_by_kind, DROP COLUMN created_by_id`);
  }
}
