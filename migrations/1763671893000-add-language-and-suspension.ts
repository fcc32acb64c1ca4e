import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The language of a developer's mails, and the time at which an operator suspended the account. */
export class AddLanguageAndSuspension1763671893000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE developer
        ADD COLUMN language text NOT NULL DEFAULT 'en',
        ADD COLUMN suspended_at timestamptz(3),
        ADD CONSTRAINT ck_developer_language CHECK (language IN ('en', 'de')) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE developer DROP COLUMN language, DROP COLUMN suspended_at`);
  }
}
