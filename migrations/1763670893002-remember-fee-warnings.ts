import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The period whose fee the members were warned about, because the balance does not cover it. */
export class RememberFeeWarnings1763670893002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE billing_account ADD COLUMN fee_warning_period text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE billing_account DROP COLUMN fee_warning_period`);
  }
}
