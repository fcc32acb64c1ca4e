import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The link or tester that holds a reservation, so that one link holds at most a share of an organization's credit. */
export class NameHoldersOfReservations1763669893000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reservation ADD COLUMN holder text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reservation DROP COLUMN holder`);
  }
}
