import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The default would vacuum a log of a hundred million rows after twenty million changes. */
export class TuneVacuumOfBuildDownloads1796800008205 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE build_download
      SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE build_download RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor)`);
  }
}
