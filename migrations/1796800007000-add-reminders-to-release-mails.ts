import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** When the tester was last reminded of the release, and when a reminder that waits is tried again. */
export class AddRemindersToReleaseMails1796800007000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE release_mail ADD COLUMN reminded_at timestamptz(3), ADD COLUMN reminder_due_at timestamptz(3)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE release_mail DROP COLUMN reminded_at, DROP COLUMN reminder_due_at`);
  }
}
