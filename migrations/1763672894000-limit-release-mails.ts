import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Mails about releases can wait: `queued_at` is null, and `due_at` says for how long. */
export class LimitReleaseMails1763672894000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE release_mail ALTER COLUMN queued_at DROP NOT NULL, ADD COLUMN due_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM release_mail WHERE queued_at IS NULL`);
    await runner.query(`ALTER TABLE release_mail ALTER COLUMN queued_at SET NOT NULL, DROP COLUMN due_at`);
  }
}
