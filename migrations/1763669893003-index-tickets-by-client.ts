import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the tickets of a link, build and client address without a scan. */
export class IndexTicketsByClient1763669893003 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_download_ticket_client`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY ix_download_ticket_client ON download_ticket (client_key, expires_at)
        WHERE client_key IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_download_ticket_client`);
  }
}
