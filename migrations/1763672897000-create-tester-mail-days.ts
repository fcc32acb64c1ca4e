import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The number of mails to testers that an organization queued for a day. */
export class CreateTesterMailDays1763672897000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tester_mail_day (
        organization_id uuid NOT NULL,
        day date NOT NULL,
        mails integer NOT NULL,
        told_at timestamptz(3),
        CONSTRAINT pk_tester_mail_day PRIMARY KEY (organization_id, day),
        CONSTRAINT ck_tester_mail_day_mails CHECK (mails >= 0),
        CONSTRAINT fk_tester_mail_day_organization FOREIGN KEY (organization_id) REFERENCES organization (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX ix_tester_mail_day_day ON tester_mail_day (day)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE tester_mail_day`);
  }
}
