import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Lets a developer be deleted without a scan of all project tokens. */
export class IndexProjectTokensByCreator1763668873000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_project_access_token_creator`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_project_access_token_creator ON project_access_token (created_by)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_project_access_token_creator`);
  }
}
