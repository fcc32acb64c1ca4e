import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The devices of provisioning profiles, by a keyed digest and encrypted, instead of in the details of their builds. */
export class CreateBuildDevices1796800005000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE build_device (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        build_id uuid NOT NULL,
        udid_digest bytea NOT NULL,
        udid_sealed bytea NOT NULL,
        CONSTRAINT pk_build_device PRIMARY KEY (id),
        CONSTRAINT uq_build_device_digest UNIQUE (build_id, udid_digest),
        CONSTRAINT fk_build_device_build FOREIGN KEY (organization_id, project_id, build_id)
          REFERENCES build (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX ix_build_device_digest ON build_device (project_id, udid_digest)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE build_device`);
  }
}
