import { type MigrationInterface, type QueryRunner } from 'typeorm';

const ENDS_AT = `(least(artifact->'signing'->>'expiresAt', artifact->'signing'->>'certificateExpiresAt') COLLATE "C")`;

/** Finds the organizations and projects with signed builds, and their builds by the time at which devices stop launching them. */
export class IndexBuildsBySigningEnd1796800200002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_signing_end`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_build_signing_end ON build (organization_id, project_id, ${ENDS_AT}, id)
        WHERE ${ENDS_AT} IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_signing_end`);
  }
}
