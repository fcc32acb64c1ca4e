import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the testers' links that were not used for long, among those of builds and channels. */
export class IndexLinksByLastUse1763672900000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_invite_last_used`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_invite_last_used ON invite (greatest(created_at, spent_at, last_opened_at)) WHERE tester_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_invite_last_used`);
  }
}
