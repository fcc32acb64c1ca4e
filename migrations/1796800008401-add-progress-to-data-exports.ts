import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What a running export has read so far, so that it continues after a restart. */
export class AddProgressToDataExports1796800008401 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE data_export ADD COLUMN progress jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE data_export DROP COLUMN progress`);
  }
}
