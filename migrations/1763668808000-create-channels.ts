import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Channels, releases, the current release, and install links of channels and testers. */
export class CreateChannels1763668808000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE channel (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        name text NOT NULL,
        last_sequence integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_channel PRIMARY KEY (id),
        CONSTRAINT uq_channel_project UNIQUE (organization_id, project_id, id),
        CONSTRAINT uq_channel_name UNIQUE (project_id, name),
        CONSTRAINT fk_channel_project FOREIGN KEY (organization_id, project_id) REFERENCES project (organization_id, id),
        CONSTRAINT ck_channel_last_sequence CHECK (last_sequence >= 0)
      )`);
    await runner.query(`CREATE INDEX ix_channel_project ON channel (project_id, id)`);
    // Deleting a build deletes its releases. A channel with releases cannot be deleted.
    await runner.query(`
      CREATE TABLE release (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        channel_id uuid NOT NULL,
        build_id uuid NOT NULL,
        platform text NOT NULL,
        sequence integer NOT NULL,
        notes text,
        promoted_by_kind text NOT NULL,
        promoted_by_id uuid,
        promoted_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_release PRIMARY KEY (id),
        CONSTRAINT uq_release_project UNIQUE (organization_id, project_id, id),
        CONSTRAINT uq_release_sequence UNIQUE (channel_id, sequence),
        CONSTRAINT uq_release_platform UNIQUE (channel_id, platform, id),
        CONSTRAINT fk_release_channel
          FOREIGN KEY (organization_id, project_id, channel_id) REFERENCES channel (organization_id, project_id, id),
        CONSTRAINT fk_release_build
          FOREIGN KEY (organization_id, project_id, build_id) REFERENCES build (organization_id, project_id, id) ON DELETE CASCADE,
        CONSTRAINT ck_release_platform CHECK (platform IN ('ios', 'android', 'macos', 'windows', 'linux')),
        CONSTRAINT ck_release_sequence CHECK (sequence > 0)
      )`);
    await runner.query(`CREATE INDEX ix_release_channel ON release (channel_id, id)`);
    await runner.query(`CREATE INDEX ix_release_build ON release (build_id)`);
    // This reference restricts: a build whose release is current cannot be deleted.
    await runner.query(`
      CREATE TABLE current_release (
        channel_id uuid NOT NULL,
        platform text NOT NULL,
        release_id uuid NOT NULL,
        CONSTRAINT pk_current_release PRIMARY KEY (channel_id, platform),
        CONSTRAINT uq_current_release_release UNIQUE (release_id),
        CONSTRAINT fk_current_release_release
          FOREIGN KEY (channel_id, platform, release_id) REFERENCES release (channel_id, platform, id)
      )`);
    await generalizeInvites(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM invite WHERE build_id IS NULL OR tester_id IS NOT NULL`);
    await runner.query(`ALTER TABLE invite DROP CONSTRAINT fk_invite_channel`);
    await runner.query(`ALTER TABLE invite DROP CONSTRAINT ck_invite_opens, DROP CONSTRAINT ck_invite_sealed`);
    const indexes = ['uq_invite_build', 'uq_invite_channel', 'ix_invite_build', 'ix_invite_channel'];
    for (const index of indexes) await runner.query(`DROP INDEX ${index}`);
    await runner.query(`ALTER TABLE invite DROP COLUMN channel_id, DROP COLUMN tester_id, DROP COLUMN spent_at`);
    await runner.query(`ALTER TABLE invite ALTER COLUMN build_id SET NOT NULL, ALTER COLUMN sealed_token SET NOT NULL`);
    await runner.query(`ALTER TABLE invite ADD CONSTRAINT uq_invite_build UNIQUE (build_id)`);
    for (const table of ['current_release', 'release', 'channel']) await runner.query(`DROP TABLE ${table}`);
  }
}

/** Links of builds and channels are stored sealed, because they are shown again. A tester's link is stored as a digest only. */
async function generalizeInvites(runner: QueryRunner): Promise<void> {
  await runner.query(`
    ALTER TABLE invite
      ALTER COLUMN build_id DROP NOT NULL,
      ALTER COLUMN sealed_token DROP NOT NULL,
      ADD COLUMN channel_id uuid,
      ADD COLUMN tester_id uuid,
      ADD COLUMN spent_at timestamptz(3),
      DROP CONSTRAINT uq_invite_build,
      ADD CONSTRAINT ck_invite_opens CHECK (tester_id IS NOT NULL OR num_nonnulls(build_id, channel_id) = 1),
      ADD CONSTRAINT ck_invite_sealed CHECK ((tester_id IS NULL) = (sealed_token IS NOT NULL)),
      ADD CONSTRAINT fk_invite_channel
        FOREIGN KEY (organization_id, project_id, channel_id) REFERENCES channel (organization_id, project_id, id) ON DELETE CASCADE`);
  await runner.query(`CREATE UNIQUE INDEX uq_invite_build ON invite (build_id) WHERE tester_id IS NULL`);
  await runner.query(`CREATE UNIQUE INDEX uq_invite_channel ON invite (channel_id) WHERE tester_id IS NULL`);
  await runner.query(`CREATE INDEX ix_invite_build ON invite (build_id) WHERE build_id IS NOT NULL`);
  await runner.query(`CREATE INDEX ix_invite_channel ON invite (channel_id) WHERE channel_id IS NOT NULL`);
}
