import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The origin and the last use of a session, for its owner. Null for sessions of earlier releases. */
export class DescribeSessions1763671893003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE refresh_family
        ADD COLUMN address text,
        ADD COLUMN network text,
        ADD COLUMN user_agent text,
        ADD COLUMN last_used_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE refresh_family
        DROP COLUMN address, DROP COLUMN network, DROP COLUMN user_agent, DROP COLUMN last_used_at`);
  }
}
