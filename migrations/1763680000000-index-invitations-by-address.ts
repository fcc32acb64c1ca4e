import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the invitations to the address of a developer. */
export class IndexInvitationsByAddress1763680000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_organization_invitation_email_key`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY ix_organization_invitation_email_key ON organization_invitation (email_key, id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_organization_invitation_email_key`);
  }
}
