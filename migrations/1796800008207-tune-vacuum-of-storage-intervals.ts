import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Intervals of closed months are deleted every night. */
export class TuneVacuumOfStorageIntervals1796800008207 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE storage_interval
      SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE storage_interval RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor)`);
  }
}
