import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The default would vacuum a hundred million links after twenty million changes. */
export class TuneVacuumOfInvites1796800008206 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE invite
      SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE invite RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor)`);
  }
}
