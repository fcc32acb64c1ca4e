import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The rules by which builds of a project are deleted. A project without a row, which is every project at first, keeps all builds. */
export class CreateRetention1796900200005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE retention (
        project_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        enabled boolean NOT NULL,
        rules jsonb NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_retention PRIMARY KEY (organization_id, project_id),
        CONSTRAINT fk_retention_project FOREIGN KEY (organization_id, project_id)
          REFERENCES project (organization_id, id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE retention`);
  }
}
