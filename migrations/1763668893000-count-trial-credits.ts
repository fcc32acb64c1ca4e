import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Number of organizations of a developer that got the trial credit, including deleted ones. */
export class CountTrialCredits1763668893000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE developer ADD COLUMN trial_credits integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE developer DROP COLUMN trial_credits`);
  }
}
