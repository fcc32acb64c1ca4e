import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Keys by which installed apps find the current build of a channel and platform, or the newest build of a project and platform. */
export class CreateUpdateKeys1795700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE update_key (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        channel_id uuid,
        platform text NOT NULL,
        digest bytea NOT NULL,
        sealed_token bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        rotated_at timestamptz(3),
        last_used_at timestamptz(3),
        CONSTRAINT pk_update_key PRIMARY KEY (id),
        CONSTRAINT uq_update_key_digest UNIQUE (digest),
        CONSTRAINT ck_update_key_platform CHECK (platform IN ('ios', 'android', 'macos', 'windows', 'linux')),
        CONSTRAINT fk_update_key_project FOREIGN KEY (organization_id, project_id)
          REFERENCES project (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_update_key_channel FOREIGN KEY (organization_id, project_id, channel_id)
          REFERENCES channel (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX uq_update_key_channel ON update_key (channel_id, platform) WHERE channel_id IS NOT NULL`);
    await runner.query(`
      CREATE UNIQUE INDEX uq_update_key_whole_project ON update_key (project_id, platform) WHERE channel_id IS NULL`);
    await runner.query(`CREATE INDEX ix_update_key_project ON update_key (project_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE update_key`);
  }
}
