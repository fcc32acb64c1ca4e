import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The language of the mails to a project's testers. */
export class AddLanguageOfTestersMails1763672899000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE project
        ADD COLUMN language text NOT NULL DEFAULT 'en',
        ADD CONSTRAINT ck_project_language CHECK (language IN ('en', 'de')) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE project DROP COLUMN language`);
  }
}
