import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** When and why mail could not reach a tester. */
export class AddBounceToTesters1796750000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tester ADD COLUMN bounced_at timestamptz(3), ADD COLUMN bounce_code text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tester DROP COLUMN bounced_at, DROP COLUMN bounce_code`);
  }
}
