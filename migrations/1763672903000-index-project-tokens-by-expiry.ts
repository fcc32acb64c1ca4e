import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds project access tokens that expired long ago. */
export class IndexProjectTokensByExpiry1763672903000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_project_access_token_expires`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_project_access_token_expires ON project_access_token (expires_at) WHERE expires_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_project_access_token_expires`);
  }
}
