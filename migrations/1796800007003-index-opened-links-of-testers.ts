import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds out whether a tester opened a link since a time, however many links they got. */
export class IndexOpenedLinksOfTesters1796800007003 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_invite_opened`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_invite_opened ON invite (project_id, tester_id, last_opened_at) WHERE last_opened_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_invite_opened`);
  }
}
