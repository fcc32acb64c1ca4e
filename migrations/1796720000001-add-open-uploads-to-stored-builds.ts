import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The storage meter also counts the bytes of open uploads. */
export class AddOpenUploadsToStoredBuilds1796720000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE stored_build ADD COLUMN is_open_upload boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE stored_build DROP COLUMN is_open_upload');
  }
}
