import { type TestApp } from './test-app';

/** Statements of which each takes some seconds longer, so that a process can be killed in the middle of its work. */
export interface PausedStatements {
  /** The event of the trigger, for example `AFTER DELETE`. */
  readonly event: string;
  readonly table: string;
  readonly seconds: number;
  /** A condition on `OLD` and `NEW`. By default every statement pauses, whatever rows it changes. */
  readonly ofRows?: string;
}

/** @returns a function that ends the pauses. It waits for the end of a statement that a killed process has sent. */
export async function pausesStatements(
  app: TestApp,
  { event, table, seconds, ofRows }: PausedStatements,
): Promise<() => Promise<unknown>> {
  await app.sql(`CREATE OR REPLACE FUNCTION test_pause() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(${seconds}); RETURN NULL; END $$`);
  const rows = ofRows === undefined ? '' : `FOR EACH ROW WHEN (${ofRows})`;
  await app.sql(`CREATE TRIGGER test_pause ${event} ON ${table} ${rows} EXECUTE FUNCTION test_pause()`);
  return () => app.sql(`DROP TRIGGER test_pause ON ${table}`);
}
