import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A channel has one default link. */
export class IndexDefaultLinksOfChannels1796900100003 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS uq_invite_default_channel`);
    await runner.query(`
      CREATE UNIQUE INDEX CONCURRENTLY uq_invite_default_channel ON invite (channel_id) WHERE tester_id IS NULL AND is_default`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX uq_invite_default_channel`);
  }
}
