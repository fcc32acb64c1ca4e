import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the project access tokens whose value a removed member received, without a scan. */
export class IndexProjectTokensByRotator1763673893001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_project_access_token_rotator`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_project_access_token_rotator ON project_access_token (rotated_by)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_project_access_token_rotator`);
  }
}
