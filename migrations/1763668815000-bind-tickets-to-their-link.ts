import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Deletes a ticket with the install link that minted it: with its tester, channel or build. */
export class BindTicketsToTheirLink1763668815000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invite ADD CONSTRAINT uq_invite_project UNIQUE (organization_id, project_id, id)`);
    await runner.query(`
      ALTER TABLE download_ticket
        ADD COLUMN invite_id uuid,
        ADD CONSTRAINT fk_download_ticket_invite
          FOREIGN KEY (organization_id, project_id, invite_id) REFERENCES invite (organization_id, project_id, id) ON DELETE CASCADE`);
    await runner.query(
      `CREATE INDEX ix_download_ticket_invite ON download_ticket (invite_id) WHERE invite_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE download_ticket DROP CONSTRAINT fk_download_ticket_invite, DROP COLUMN invite_id`);
    await runner.query(`ALTER TABLE invite DROP CONSTRAINT uq_invite_project`);
  }
}
