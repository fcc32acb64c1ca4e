import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Exports that developers request themselves. No foreign keys: the deletion of a subject also deletes the archive from the store. */
export class CreateDataExport1763681000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE data_export (
        id uuid NOT NULL,
        kind text NOT NULL,
        subject_id uuid NOT NULL,
        requested_by uuid NOT NULL,
        state text NOT NULL,
        reason text,
        size_bytes bigint,
        sha256 bytea,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_data_export PRIMARY KEY (id),
        CONSTRAINT ck_data_export_kind CHECK (kind IN ('organization', 'developer')),
        CONSTRAINT ck_data_export_state CHECK (state IN ('requested', 'running', 'ready', 'failed')),
        CONSTRAINT ck_data_export_ready CHECK ((state = 'ready') = (size_bytes IS NOT NULL AND sha256 IS NOT NULL))
      )`);
    await runner.query('CREATE INDEX ix_data_export_subject ON data_export (subject_id, id)');
    await runner.query('CREATE INDEX ix_data_export_requested_by ON data_export (requested_by)');
    await runner.query('CREATE INDEX ix_data_export_expires_at ON data_export (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE data_export');
  }
}
