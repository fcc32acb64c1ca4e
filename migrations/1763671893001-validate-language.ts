import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Blocks no query: the rows of `developer` got their language from the default. */
export class ValidateLanguage1763671893001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE developer VALIDATE CONSTRAINT ck_developer_language`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE developer
        DROP CONSTRAINT ck_developer_language,
        ADD CONSTRAINT ck_developer_language CHECK (language IN ('en', 'de')) NOT VALID`);
  }
}
