import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Testers, who install builds without an account. */
export class CreateTesters1763668810000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tester (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        email text NOT NULL,
        email_key text NOT NULL,
        name text,
        platforms text[] NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_tester PRIMARY KEY (id),
        CONSTRAINT uq_tester_project UNIQUE (organization_id, project_id, id),
        CONSTRAINT uq_tester_email UNIQUE (project_id, email_key),
        CONSTRAINT fk_tester_project FOREIGN KEY (organization_id, project_id)
          REFERENCES project (organization_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX ix_tester_project ON tester (project_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE tester`);
  }
}
