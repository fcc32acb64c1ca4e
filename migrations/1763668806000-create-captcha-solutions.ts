import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Solved captchas, so that a solution is accepted once. */
export class CreateCaptchaSolutions1763668806000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE captcha_solution (
        digest bytea NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_captcha_solution PRIMARY KEY (digest)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE captcha_solution`);
  }
}
