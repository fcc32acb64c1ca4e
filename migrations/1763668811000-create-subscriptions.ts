import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Subscriptions of testers to channels, suppressed addresses, and links of testers. */
export class CreateSubscriptions1763668811000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A channel with subscriptions cannot be deleted. Deleting a tester deletes their subscriptions.
    await runner.query(`
      CREATE TABLE subscription (
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        channel_id uuid NOT NULL,
        tester_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_subscription PRIMARY KEY (channel_id, tester_id),
        CONSTRAINT fk_subscription_channel
          FOREIGN KEY (organization_id, project_id, channel_id) REFERENCES channel (organization_id, project_id, id),
        CONSTRAINT fk_subscription_tester
          FOREIGN KEY (organization_id, project_id, tester_id) REFERENCES tester (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX ix_subscription_tester ON subscription (tester_id)`);
    // No reference to the tester, because a suppression must survive the tester.
    await runner.query(`
      CREATE TABLE suppression (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        channel_id uuid,
        address_digest bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_suppression PRIMARY KEY (id),
        CONSTRAINT fk_suppression_project
          FOREIGN KEY (organization_id, project_id) REFERENCES project (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_suppression_channel
          FOREIGN KEY (organization_id, project_id, channel_id) REFERENCES channel (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX uq_suppression_project ON suppression (project_id, address_digest) WHERE channel_id IS NULL`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX uq_suppression_channel ON suppression (project_id, address_digest, channel_id) WHERE channel_id IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX ix_suppression_channel ON suppression (channel_id)`);
    await runner.query(`
      ALTER TABLE invite ADD CONSTRAINT fk_invite_tester
        FOREIGN KEY (organization_id, project_id, tester_id) REFERENCES tester (organization_id, project_id, id) ON DELETE CASCADE`);
    await runner.query(`CREATE INDEX ix_invite_tester ON invite (tester_id) WHERE tester_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_invite_tester`);
    await runner.query(`ALTER TABLE invite DROP CONSTRAINT fk_invite_tester`);
    await runner.query(`DROP TABLE suppression`);
    await runner.query(`DROP TABLE subscription`);
  }
}
