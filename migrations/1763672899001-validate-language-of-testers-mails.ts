import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Blocks no query: the rows of `project` got their language from the default. */
export class ValidateLanguageOfTestersMails1763672899001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE project VALIDATE CONSTRAINT ck_project_language`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE project
        DROP CONSTRAINT ck_project_language,
        ADD CONSTRAINT ck_project_language CHECK (language IN ('en', 'de')) NOT VALID`);
  }
}
