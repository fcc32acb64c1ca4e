import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the few testers of a project whose address bounced, newest first. */
export class IndexBouncedTesters1796750000002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_tester_bounced`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_tester_bounced ON tester (project_id, id) WHERE bounced_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_tester_bounced`);
  }
}
