import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The platforms that a tester chose to get mails about, and what limits the mails to a tester who never opened a link. */
export class ChooseMailPlatforms1763672893000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tester
        ADD COLUMN mail_platforms text[] NOT NULL DEFAULT '{}',
        ADD COLUMN opened_at timestamptz(3),
        ADD COLUMN unopened_mails smallint NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tester DROP COLUMN mail_platforms, DROP COLUMN opened_at, DROP COLUMN unopened_mails`);
  }
}
