import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the newest testers of an organization, which the search reads. */
export class IndexTestersByOrganization1763684000001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_tester_organization`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_tester_organization ON tester (organization_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_tester_organization`);
  }
}
