import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds expired invitations without a scan. */
export class IndexInvitationsByEnd1763668882000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_organization_invitation_expires_at`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_organization_invitation_expires_at ON organization_invitation (expires_at)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_organization_invitation_expires_at`);
  }
}
