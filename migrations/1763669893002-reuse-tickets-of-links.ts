import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The columns that find the open ticket of a link, build and client address again, and its deliveries. */
export class ReuseTicketsOfLinks1763669893002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE download_ticket
        ADD COLUMN client_key bytea,
        ADD COLUMN sealed_token bytea,
        ADD COLUMN streamed boolean NOT NULL DEFAULT false,
        ADD COLUMN delivered_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE download_ticket
        DROP COLUMN client_key, DROP COLUMN sealed_token, DROP COLUMN streamed, DROP COLUMN delivered_at`);
  }
}
