import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds the tickets of an attachment. */
export class IndexDownloadTicketsByAttachment1796800006002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_download_ticket_attachment`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_download_ticket_attachment ON download_ticket (organization_id, attachment_id)
       WHERE attachment_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_download_ticket_attachment`);
  }
}
