import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A job deletes the intervals of a deleted organization, which can be millions, in batches (docs/decisions/0086-large-operations-in-steps.md). */
export class DropAccountOfStorageIntervals1796800008400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE storage_interval DROP CONSTRAINT fk_storage_interval_account`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DELETE FROM storage_interval i WHERE NOT EXISTS (SELECT FROM billing_account a WHERE a.organization_id = i.organization_id)`,
    );
    await runner.query(
      `ALTER TABLE storage_interval ADD CONSTRAINT fk_storage_interval_account
         FOREIGN KEY (organization_id) REFERENCES billing_account (organization_id) ON DELETE CASCADE`,
    );
  }
}
