import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Whether the managers of a project get mails before devices stop launching its builds. */
export class AddSigningMailsToProjects1796800200001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE project ADD COLUMN signing_expiry_mails boolean NOT NULL DEFAULT true`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE project DROP COLUMN signing_expiry_mails`);
  }
}
