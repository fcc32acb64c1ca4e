import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The closed months of each organization that the nightly check of money has verified. */
export class CreateBillingChecks1796800008201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE billing_check (
        organization_id uuid NOT NULL,
        verified_period text NOT NULL,
        started_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_billing_check PRIMARY KEY (organization_id),
        CONSTRAINT fk_billing_check_account FOREIGN KEY (organization_id)
          REFERENCES billing_account (organization_id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE billing_check`);
  }
}
