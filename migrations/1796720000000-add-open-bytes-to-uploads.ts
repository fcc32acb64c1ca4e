import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The bytes that an open upload may hold, and when its parts were last counted. */
export class AddOpenBytesToUploads1796720000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE artifact_upload
        ADD COLUMN expected_bytes bigint,
        ADD COLUMN parts_until timestamptz(3),
        ADD COLUMN measured_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE artifact_upload DROP COLUMN expected_bytes, DROP COLUMN parts_until, DROP COLUMN measured_at`,
    );
  }
}
