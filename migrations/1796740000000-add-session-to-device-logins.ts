import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The session in which a device login was confirmed. Its token is handed out only while this session lasts. */
export class AddSessionToDeviceLogins1796740000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE device_login ADD COLUMN session_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE device_login DROP COLUMN session_id');
  }
}
