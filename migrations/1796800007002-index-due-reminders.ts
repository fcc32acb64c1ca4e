import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the reminders that wait, longest due first. */
export class IndexDueReminders1796800007002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_release_mail_reminder_due`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_release_mail_reminder_due ON release_mail (reminder_due_at) WHERE reminder_due_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_release_mail_reminder_due`);
  }
}
