import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A build has one default link. */
export class IndexDefaultLinksOfBuilds1796900100002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS uq_invite_default_build`);
    await runner.query(`
      CREATE UNIQUE INDEX CONCURRENTLY uq_invite_default_build ON invite (build_id) WHERE tester_id IS NULL AND is_default`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX uq_invite_default_build`);
  }
}
