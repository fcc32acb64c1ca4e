import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What testers see of an organization. It is a column, so that pages and mails read it with the name. The logo is read alone. */
export class CreateBranding1796900300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE organization ADD COLUMN branding jsonb`);
    await runner.query(`
      CREATE TABLE organization_logo (
        organization_id uuid NOT NULL,
        key text NOT NULL,
        png bytea NOT NULL,
        CONSTRAINT pk_organization_logo PRIMARY KEY (organization_id),
        CONSTRAINT uq_organization_logo_key UNIQUE (key),
        CONSTRAINT fk_organization_logo_organization FOREIGN KEY (organization_id)
          REFERENCES organization (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE organization_logo`);
    await runner.query(`ALTER TABLE organization DROP COLUMN branding`);
  }
}
