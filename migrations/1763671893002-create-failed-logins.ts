import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Counts of failed logins, by keyed digests of addresses, networks and devices. */
export class CreateFailedLogins1763671893002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE failed_login (
        digest bytea NOT NULL,
        failures integer NOT NULL,
        ends_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_failed_login PRIMARY KEY (digest)
      )`);
    await runner.query(`CREATE INDEX ix_failed_login_ends_at ON failed_login (ends_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE failed_login`);
  }
}
