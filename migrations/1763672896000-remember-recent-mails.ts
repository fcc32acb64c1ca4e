import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The times of a subscriber's mails within the last hour, for the limit per tester and channel. */
export class RememberRecentMails1763672896000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE subscription ADD COLUMN recent_mails timestamptz[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE subscription DROP COLUMN recent_mails`);
  }
}
