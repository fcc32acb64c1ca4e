import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The developer who last rotated a project access token and therefore received its current value. There is no foreign key: after the
 * account is deleted, the id belongs to no member, which is what the token shows.
 */
export class RecordRotatorsOfProjectTokens1763673893000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE project_access_token ADD COLUMN rotated_by uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE project_access_token DROP COLUMN rotated_by`);
  }
}
