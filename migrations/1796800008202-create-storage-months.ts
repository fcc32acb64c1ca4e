import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The storage of closed months whose intervals were deleted. */
export class CreateStorageMonths1796800008202 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE storage_month (
        organization_id uuid NOT NULL,
        period text NOT NULL,
        day_byte_ms numeric[] NOT NULL,
        CONSTRAINT pk_storage_month PRIMARY KEY (organization_id, period),
        CONSTRAINT fk_storage_month_account FOREIGN KEY (organization_id)
          REFERENCES billing_account (organization_id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE storage_month`);
  }
}
