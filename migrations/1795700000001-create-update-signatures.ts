import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The signatures by which updaters of desktop apps verify the files of builds. */
export class CreateUpdateSignatures1795700000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE update_signature (
        build_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        signature text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_update_signature PRIMARY KEY (build_id),
        CONSTRAINT fk_update_signature_build FOREIGN KEY (organization_id, project_id, build_id)
          REFERENCES build (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE INDEX ix_update_signature_build ON update_signature (organization_id, project_id, build_id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE update_signature`);
  }
}
