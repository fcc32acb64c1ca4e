import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Whether the last attempt of a webhook succeeded quickly. The others send in a part of the slots. */
export class AddQuickToWebhooks1796900700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE webhook ADD COLUMN is_quick boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE webhook DROP COLUMN is_quick`);
  }
}
