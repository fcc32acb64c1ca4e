import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The install link through which a download was made, so that downloads are counted per link. */
export class AddLinkToDownloads1796900100006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE build_download ADD COLUMN link_id uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE build_download DROP COLUMN link_id`);
  }
}
