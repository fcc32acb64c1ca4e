import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A build in the trash keeps its row. A pinned one is not deleted by retention or in bulk. */
export class AddTrashToBuilds1796900200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE build
        ADD COLUMN deleted_at timestamptz(3),
        ADD COLUMN pinned boolean NOT NULL DEFAULT false,
        ADD COLUMN expires_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE build DROP COLUMN expires_at, DROP COLUMN pinned, DROP COLUMN deleted_at`);
  }
}
