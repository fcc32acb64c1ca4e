import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The installations of apps that reported to run a build. */
export class CreateBuildInstallations1796500000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE build_installation (
        build_id uuid NOT NULL,
        digest bytea NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        reported_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_build_installation PRIMARY KEY (build_id, digest),
        CONSTRAINT fk_build_installation_build FOREIGN KEY (organization_id, project_id, build_id)
          REFERENCES build (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX ix_build_installation_reported ON build_installation (reported_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE build_installation`);
  }
}
