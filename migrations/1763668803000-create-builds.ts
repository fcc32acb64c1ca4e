import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Builds, uploads, install links and download tickets. */
export class CreateBuilds1763668803000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No foreign keys, because the sweep must find the blob of an unfinished upload even after its project was deleted.
    await runner.query(`
      CREATE TABLE artifact_upload (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        storage_account text NOT NULL,
        blob_key text NOT NULL,
        reservation_id uuid NOT NULL,
        state text NOT NULL,
        leased_until timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_artifact_upload PRIMARY KEY (id),
        CONSTRAINT ck_artifact_upload_state CHECK (state IN ('pending', 'abandoned'))
      )`);
    await runner.query(`CREATE INDEX ix_artifact_upload_leased_until ON artifact_upload (leased_until)`);
    await runner.query(`
      CREATE TABLE build (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        platform text NOT NULL,
        version text NOT NULL,
        build_number text,
        notes text,
        uploaded_at timestamptz(3) NOT NULL,
        uploaded_by_kind text NOT NULL,
        uploaded_by_id uuid,
        file_name text NOT NULL,
        size_bytes bigint NOT NULL,
        sha256 bytea NOT NULL,
        storage_account text NOT NULL,
        blob_key text NOT NULL,
        artifact jsonb NOT NULL,
        icon_media_type text,
        upload_warnings jsonb NOT NULL,
        branch text,
        commit text,
        ci_url text,
        CONSTRAINT pk_build PRIMARY KEY (id),
        CONSTRAINT uq_build_project UNIQUE (organization_id, project_id, id),
        CONSTRAINT uq_build_blob UNIQUE (storage_account, blob_key),
        CONSTRAINT fk_build_project FOREIGN KEY (organization_id, project_id) REFERENCES project (organization_id, id),
        CONSTRAINT ck_build_platform CHECK (platform IN ('ios', 'android', 'macos', 'windows', 'linux')),
        CONSTRAINT ck_build_size CHECK (size_bytes > 0)
      )`);
    await runner.query(`CREATE INDEX ix_build_project ON build (project_id, id)`);
    await runner.query(`CREATE INDEX ix_build_sha256 ON build (project_id, sha256)`);
    await runner.query(`
      CREATE TABLE build_icon (
        build_id uuid NOT NULL,
        data bytea NOT NULL,
        CONSTRAINT pk_build_icon PRIMARY KEY (build_id),
        CONSTRAINT fk_build_icon_build FOREIGN KEY (build_id) REFERENCES build (id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE pinned_bundle_id (
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        platform text NOT NULL,
        bundle_id text NOT NULL,
        CONSTRAINT pk_pinned_bundle_id PRIMARY KEY (project_id, platform),
        CONSTRAINT fk_pinned_bundle_id_project
          FOREIGN KEY (organization_id, project_id) REFERENCES project (organization_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE invite (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        build_id uuid NOT NULL,
        digest bytea NOT NULL,
        sealed_token bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_invite PRIMARY KEY (id),
        CONSTRAINT uq_invite_digest UNIQUE (digest),
        CONSTRAINT uq_invite_build UNIQUE (build_id),
        CONSTRAINT fk_invite_build
          FOREIGN KEY (organization_id, project_id, build_id) REFERENCES build (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE download_ticket (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        build_id uuid NOT NULL,
        digest bytea NOT NULL,
        reservation_id uuid NOT NULL,
        served_bytes bigint NOT NULL,
        settled_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_download_ticket PRIMARY KEY (id),
        CONSTRAINT uq_download_ticket_digest UNIQUE (digest),
        CONSTRAINT fk_download_ticket_build
          FOREIGN KEY (organization_id, project_id, build_id) REFERENCES build (organization_id, project_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_download_ticket_reservation FOREIGN KEY (reservation_id) REFERENCES reservation (id),
        CONSTRAINT ck_download_ticket_served CHECK (served_bytes >= 0)
      )`);
    await runner.query(`CREATE INDEX ix_download_ticket_build ON download_ticket (build_id)`);
    await runner.query(`CREATE INDEX ix_download_ticket_expires_at ON download_ticket (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = ['download_ticket', 'invite', 'pinned_bundle_id', 'build_icon', 'build', 'artifact_upload'];
    for (const table of tables) await runner.query(`DROP TABLE ${table}`);
  }
}
