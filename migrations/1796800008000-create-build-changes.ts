import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The commits since the previous builds and the titles of pull requests, apart from the builds, so that lists do not read them. */
export class CreateBuildChanges1796800008000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE build_change (
        build_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        pull_request_title text,
        commits jsonb,
        commits_since text,
        CONSTRAINT pk_build_change PRIMARY KEY (build_id),
        CONSTRAINT fk_build_change_build FOREIGN KEY (organization_id, project_id, build_id)
          REFERENCES build (organization_id, project_id, id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE build_change`);
  }
}
