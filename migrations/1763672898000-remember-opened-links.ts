import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** When a tester's link was last opened. */
export class RememberOpenedLinks1763672898000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invite ADD COLUMN last_opened_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invite DROP COLUMN last_opened_at`);
  }
}
