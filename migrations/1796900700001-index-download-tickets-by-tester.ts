import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the tickets of a tester who is erased. */
export class IndexDownloadTicketsByTester1796900700001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_download_ticket_tester`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_download_ticket_tester ON download_ticket (tester_id)
       WHERE tester_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_download_ticket_tester`);
  }
}
