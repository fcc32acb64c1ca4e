import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** When an invitation whose link opens the channel was last queued to the subscriber. */
export class AddInvitedAtToSubscriptions1796800008100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE subscription ADD COLUMN invited_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE subscription DROP COLUMN invited_at`);
  }
}
