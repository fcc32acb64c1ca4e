import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Whether the package of a build is registered to a verified developer of Android. */
export class AddAndroidRegistrationToBuilds1796800004001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE build ADD COLUMN android_registration jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE build DROP COLUMN android_registration`);
  }
}
