import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A build may have links besides its default one. */
export class AllowSeveralLinksOfBuilds1796900100004 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS uq_invite_build`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM invite WHERE NOT is_default`);
    await runner.query(`CREATE UNIQUE INDEX uq_invite_build ON invite (build_id) WHERE tester_id IS NULL`);
  }
}
