import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Reads of the index alone need the visibility map, which only vacuum writes. */
export class TuneVacuumOfLedgerEntries1796800008204 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ledger_entry
      SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ledger_entry RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor)`);
  }
}
