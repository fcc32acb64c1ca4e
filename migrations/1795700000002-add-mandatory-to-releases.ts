import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Releases that apps must install. */
export class AddMandatoryToReleases1795700000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE release ADD COLUMN mandatory boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE release DROP COLUMN mandatory`);
  }
}
