import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The releases of a build in the trash, which are in no list until it is restored. */
export class AddTrashToReleases1796900200001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE release ADD COLUMN deleted_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE release DROP COLUMN deleted_at`);
  }
}
