import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Resumable uploads, beside the intent row that every upload has. */
export class CreateResumableUploads1763668830000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No foreign keys, because the sweep must find the parts even after the project was deleted.
    await runner.query(`
      CREATE TABLE resumable_upload (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        file_name text NOT NULL,
        size_bytes bigint NOT NULL,
        part_size_bytes bigint NOT NULL,
        store_upload_id text,
        draft jsonb NOT NULL,
        build_id uuid,
        created_at timestamptz(3) NOT NULL,
        completed_at timestamptz(3),
        CONSTRAINT pk_resumable_upload PRIMARY KEY (id),
        CONSTRAINT ck_resumable_upload_size CHECK (size_bytes > 0 AND part_size_bytes > 0),
        CONSTRAINT ck_resumable_upload_completed CHECK ((build_id IS NULL) = (completed_at IS NULL))
      )`);
    await runner.query(`CREATE INDEX ix_resumable_upload_project ON resumable_upload (project_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE resumable_upload`);
  }
}
