import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Accounts that kept sending requests after a 429, for operators. */
export class CreateAccountFlags1763668807000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account_flag (
        id uuid NOT NULL,
        principal text NOT NULL,
        organization_id uuid,
        reason text NOT NULL,
        hour_start timestamptz(3) NOT NULL,
        first_seen_at timestamptz(3) NOT NULL,
        last_seen_at timestamptz(3) NOT NULL,
        hits integer NOT NULL,
        CONSTRAINT pk_account_flag PRIMARY KEY (id),
        CONSTRAINT uq_account_flag_hour UNIQUE (principal, reason, hour_start)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE account_flag`);
  }
}
