import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Each download updates the row of its build. With room in the page, no index is written for it. */
export class TuneVacuumOfBuilds1796800008203 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE build
      SET (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE build RESET (fillfactor, autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor)`);
  }
}
