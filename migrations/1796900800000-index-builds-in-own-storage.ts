import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the builds that the nightly check of the books leaves out, because they are in the storage of their organization. */
export class IndexBuildsInOwnStorage1796900800000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_own_storage`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_build_own_storage ON build (organization_id, id)
       WHERE storage_account <> 'hosted'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_own_storage`);
  }
}
