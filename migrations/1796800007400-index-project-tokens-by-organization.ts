import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Lists the project access tokens of an organization, newest first, without a sort. */
export class IndexProjectTokensByOrganization1796800007400 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_project_access_token_organization`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_project_access_token_organization ON project_access_token (organization_id, id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_project_access_token_organization`);
  }
}
