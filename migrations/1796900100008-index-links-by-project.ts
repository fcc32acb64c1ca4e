import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Lists the links of a project without reading those of its testers. */
export class IndexLinksByProject1796900100008 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_invite_link`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_invite_link ON invite (organization_id, project_id, id) WHERE tester_id IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_invite_link`);
  }
}
