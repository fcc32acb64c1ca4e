import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Permissions, usage descriptions, entitlements and devices of artifacts, apart from the builds, so that lists do not read them. */
export class CreateBuildDetails1763683000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE build_detail (
        build_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        details jsonb NOT NULL,
        CONSTRAINT pk_build_detail PRIMARY KEY (build_id),
        CONSTRAINT fk_build_detail_build FOREIGN KEY (organization_id, project_id, build_id)
          REFERENCES build (organization_id, project_id, id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE build_detail`);
  }
}
