import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Whether the subscribers of the channel are mailed about a release. */
export class AddNotifyToReleases1795500000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE release ADD COLUMN notify boolean NOT NULL DEFAULT true`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE release DROP COLUMN notify`);
  }
}
