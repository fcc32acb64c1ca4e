import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Mails about releases: which tester was notified of which release. */
export class CreateReleaseMails1763668812000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE release_mail (
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        release_id uuid NOT NULL,
        tester_id uuid NOT NULL,
        queued_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_release_mail PRIMARY KEY (release_id, tester_id),
        CONSTRAINT fk_release_mail_release
          FOREIGN KEY (organization_id, project_id, release_id) REFERENCES release (organization_id, project_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_release_mail_tester
          FOREIGN KEY (organization_id, project_id, tester_id) REFERENCES tester (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX ix_release_mail_tester ON release_mail (tester_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE release_mail`);
  }
}
