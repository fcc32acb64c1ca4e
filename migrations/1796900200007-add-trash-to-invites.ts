import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The links of a build in the trash, which open nothing until it is restored. */
export class AddTrashToInvites1796900200007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invite ADD COLUMN deleted_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invite DROP COLUMN deleted_at`);
  }
}
