import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Files beside the artifacts of builds. A process of the previous release deletes builds without knowing their attachments: the row then
 * stays without a build, so that the sweep finds the bytes and the storage meter.
 */
export class CreateAttachments1796800006000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE attachment (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        build_id uuid,
        kind text NOT NULL,
        arch text,
        file_name text NOT NULL,
        size_bytes bigint NOT NULL,
        sha256 bytea NOT NULL,
        sha512 bytea NOT NULL,
        signature text,
        storage_account text NOT NULL,
        blob_key text NOT NULL,
        uploaded_by_kind text NOT NULL,
        uploaded_by_id uuid,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_attachment PRIMARY KEY (id),
        CONSTRAINT uq_attachment_organization UNIQUE (organization_id, id),
        CONSTRAINT uq_attachment_file UNIQUE (build_id, file_name),
        CONSTRAINT uq_attachment_blob UNIQUE (storage_account, blob_key),
        CONSTRAINT ck_attachment_kind
          CHECK (kind IN ('update', 'blockmap', 'dsym', 'mapping', 'native', 'source_map', 'sbom', 'other')),
        CONSTRAINT ck_attachment_arch CHECK (arch IN ('x64', 'arm64', 'ia32', 'universal')),
        CONSTRAINT ck_attachment_size CHECK (size_bytes > 0),
        CONSTRAINT fk_attachment_build FOREIGN KEY (organization_id, project_id, build_id)
          REFERENCES build (organization_id, project_id, id) ON DELETE SET NULL (build_id)
      )`);
    await runner.query(
      `CREATE INDEX ix_attachment_blockmap ON attachment (project_id, file_name) WHERE kind = 'blockmap'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE attachment`);
  }
}
