import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Until when the ends of the signatures of a project's builds were announced. */
export class CreateSigningCalendar1796800200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE signing_calendar (
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        announced_until timestamptz(3) NOT NULL,
        CONSTRAINT pk_signing_calendar PRIMARY KEY (organization_id, project_id),
        CONSTRAINT fk_signing_calendar_project FOREIGN KEY (organization_id, project_id)
          REFERENCES project (organization_id, id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE signing_calendar`);
  }
}
