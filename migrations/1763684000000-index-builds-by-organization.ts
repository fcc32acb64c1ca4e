import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the newest builds of an organization, which the search reads. */
export class IndexBuildsByOrganization1763684000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_organization`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_build_organization ON build (organization_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_organization`);
  }
}
