import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The lowest version of each platform that a project still supports. */
export class CreateMinSupportedVersions1795700000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE min_supported_version (
        project_id uuid NOT NULL,
        platform text NOT NULL,
        organization_id uuid NOT NULL,
        version text NOT NULL,
        CONSTRAINT pk_min_supported_version PRIMARY KEY (project_id, platform),
        CONSTRAINT ck_min_supported_version_platform
          CHECK (platform IN ('ios', 'android', 'macos', 'windows', 'linux')),
        CONSTRAINT fk_min_supported_version_project FOREIGN KEY (organization_id, project_id)
          REFERENCES project (organization_id, id) ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE INDEX ix_min_supported_version_project ON min_supported_version (organization_id, project_id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE min_supported_version`);
  }
}
