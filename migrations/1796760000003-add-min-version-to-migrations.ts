import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The lowest version of the service that works with the schema after a migration, so that an earlier one can detect it. */
export class AddMinVersionToMigrations1796760000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE migration ADD COLUMN min_version text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE migration DROP COLUMN min_version`);
  }
}
