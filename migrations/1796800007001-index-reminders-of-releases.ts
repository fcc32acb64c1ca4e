import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the time of the last reminder of a release. */
export class IndexRemindersOfReleases1796800007001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_release_mail_reminded`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_release_mail_reminded ON release_mail (release_id, reminded_at) WHERE reminded_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_release_mail_reminded`);
  }
}
