import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A channel may have links besides its default one. */
export class AllowSeveralLinksOfChannels1796900100005 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS uq_invite_channel`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM invite WHERE NOT is_default`);
    await runner.query(`CREATE UNIQUE INDEX uq_invite_channel ON invite (channel_id) WHERE tester_id IS NULL`);
  }
}
