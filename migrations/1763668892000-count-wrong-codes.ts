import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Wrong codes of a second factor since the last correct one, and the time until which it is locked. */
export class CountWrongCodes1763668892000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE second_factor
        ADD COLUMN wrong_codes integer NOT NULL DEFAULT 0,
        ADD COLUMN blocked_until timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE second_factor DROP COLUMN wrong_codes, DROP COLUMN blocked_until`);
  }
}
