import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the builds of a commit by its beginning. Not every upload names a commit. */
export class IndexBuildsByCommit1795500000002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_commit`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_build_commit ON build (project_id, commit text_pattern_ops) WHERE commit IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_commit`);
  }
}
