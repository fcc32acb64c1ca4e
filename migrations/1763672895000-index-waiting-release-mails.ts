import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the mails that wait, oldest first, among millions that were sent. */
export class IndexWaitingReleaseMails1763672895000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_release_mail_due`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_release_mail_due ON release_mail (due_at) WHERE queued_at IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_release_mail_due`);
  }
}
