import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the tickets of a network. */
export class IndexDownloadTicketsByNetwork1796760000001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_download_ticket_network`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_download_ticket_network ON download_ticket (network_key, expires_at)
       WHERE network_key IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_download_ticket_network`);
  }
}
