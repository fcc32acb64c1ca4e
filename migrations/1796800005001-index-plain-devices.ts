import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the builds of earlier releases whose devices are in plain text. A job moves them: only the service has the keys. */
export class IndexPlainDevices1796800005001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_detail_devices`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_build_detail_devices ON build_detail (build_id)
       WHERE jsonb_typeof(details -> 'devices') = 'array'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_detail_devices`);
  }
}
