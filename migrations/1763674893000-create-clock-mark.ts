import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Keeps the highest time that a sweep has seen. `billing_now()` is the time by which money is booked: `app_now()`, or the highest time
 * seen while the clock is more than two days ahead of it (docs/decisions/0035-clock-guard.md).
 */
export class CreateClockMark1763674893000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE clock_mark (
        id smallint NOT NULL,
        seen_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_clock_mark PRIMARY KEY (id),
        CONSTRAINT ck_clock_mark_single CHECK (id = 1)
      )`);
    await runner.query(`
      CREATE FUNCTION billing_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
        SELECT CASE WHEN clock.now > mark.seen_at + interval '2 days' THEN mark.seen_at ELSE clock.now END
        FROM (SELECT app_now() AS now OFFSET 0) AS clock LEFT JOIN clock_mark AS mark ON true
      $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION billing_now()`);
    await runner.query(`DROP TABLE clock_mark`);
  }
}
