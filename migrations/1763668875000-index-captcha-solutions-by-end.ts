import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds expired captcha solutions without a scan. */
export class IndexCaptchaSolutionsByEnd1763668875000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_captcha_solution_expires_at`);
    await runner.query(`CREATE INDEX CONCURRENTLY ix_captcha_solution_expires_at ON captcha_solution (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_captcha_solution_expires_at`);
  }
}
