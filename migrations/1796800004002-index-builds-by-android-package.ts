import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the builds of a package that is signed with a certificate. */
export class IndexBuildsByAndroidPackage1796800004002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_build_android_package`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_build_android_package ON build
        ((artifact->>'bundleId'), (artifact->'signing'->>'certificateSha256')) WHERE platform = 'android'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_build_android_package`);
  }
}
