import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The network of the client, whose charges are limited together. */
export class AddNetworkKeyToDownloadTickets1796760000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE download_ticket ADD COLUMN network_key bytea`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE download_ticket DROP COLUMN network_key`);
  }
}
