import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The pull request that a build was made for, as the upload said. */
export class AddPullRequestToBuilds1795500000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE build ADD COLUMN pull_request_number integer, ADD COLUMN pull_request_url text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE build DROP COLUMN pull_request_number, DROP COLUMN pull_request_url`);
  }
}
