import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Whether packages are registered to a verified developer of Android: public facts, which belong to no tenant. */
export class CreateAndroidRegistrations1796800004000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE android_registration (
        package_name text NOT NULL,
        certificate_sha256 text NOT NULL,
        state text NOT NULL,
        since timestamptz(3),
        next_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_android_registration PRIMARY KEY (package_name, certificate_sha256)
      )`);
    await runner.query(`CREATE INDEX ix_android_registration_next ON android_registration (next_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE android_registration`);
  }
}
