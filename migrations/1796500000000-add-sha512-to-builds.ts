import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The hash by which the updaters of desktop apps verify files. */
export class AddSha512ToBuilds1796500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE build ADD COLUMN sha512 bytea`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE build DROP COLUMN sha512`);
  }
}
