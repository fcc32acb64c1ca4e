import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** When a tester was mailed a link, and the digest that finds whether their address unsubscribed. A job fills the existing rows. */
export class DescribeActivityOfTesters1763683000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tester ADD COLUMN invited_at timestamptz(3), ADD COLUMN address_digest bytea`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tester DROP COLUMN invited_at, DROP COLUMN address_digest`);
  }
}
