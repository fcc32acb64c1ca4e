import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Channels that uploads of a branch make by themselves, and the setting of a project that lets them. */
export class CreateBranchChannels1796900300001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE project ADD COLUMN branch_channels jsonb`);
    await runner.query(`
      CREATE TABLE branch_channel (
        channel_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        branch text NOT NULL,
        days integer NOT NULL,
        last_sequence integer NOT NULL,
        ends_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_branch_channel PRIMARY KEY (channel_id),
        CONSTRAINT uq_branch_channel_branch UNIQUE (project_id, branch),
        CONSTRAINT fk_branch_channel_channel FOREIGN KEY (organization_id, project_id, channel_id)
          REFERENCES channel (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE INDEX ix_branch_channel_channel ON branch_channel (organization_id, project_id, channel_id)`,
    );
    await runner.query(`CREATE INDEX ix_branch_channel_end ON branch_channel (ends_at, channel_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE branch_channel`);
    await runner.query(`ALTER TABLE project DROP COLUMN branch_channels`);
  }
}
