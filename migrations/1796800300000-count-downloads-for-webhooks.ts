import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The downloads that webhooks have counted, and the counts that they have not sent yet. */
export class CountDownloadsForWebhooks1796800300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook
        ADD COLUMN downloads_cursor timestamptz(3),
        ADD COLUMN downloads_next_at timestamptz(3)`);
    await runner.query(`
      CREATE TABLE webhook_download_count (
        webhook_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        build_id uuid NOT NULL,
        count integer NOT NULL,
        since timestamptz(3) NOT NULL,
        until timestamptz(3) NOT NULL,
        CONSTRAINT pk_webhook_download_count PRIMARY KEY (webhook_id, build_id),
        CONSTRAINT fk_webhook_download_count_webhook FOREIGN KEY (organization_id, webhook_id)
          REFERENCES webhook (organization_id, id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE webhook_download_count`);
    await runner.query(`ALTER TABLE webhook DROP COLUMN downloads_next_at, DROP COLUMN downloads_cursor`);
  }
}
