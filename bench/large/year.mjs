// Closes twelve months by the clock of the database, and checks the invariants of money after each.
import { brokenInvariants } from './invariants.mjs';
import { clearQueue, runJob } from './queue.mjs';

const MONTHS = 12;
/** What a month's end runs, in the order of their schedules. */
const JOBS = ['billing.close-periods', 'billing.accrue-storage', 'billing.warn-of-fees', 'billing.check'];

/** Half an hour after the beginning of the month, `months` months from now. */
const START = `date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + interval '30 minutes'`;

/** Moves the clock of the database, as if sweeps had run all the time. */
async function setClock(database, months) {
  const { rows } = await database.query(
    `SELECT extract(epoch FROM ${START} + interval '${months} months' - clock_timestamp())::bigint AS ahead`,
  );
  await database.query(`
    CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
    AS $$ SELECT clock_timestamp() + interval '${rows[0].ahead} seconds' $$`);
  await database.query('UPDATE clock_mark SET seen_at = app_now()');
}

/** The clock stays moved: this is the last part of a run. @returns the invariants that a month broke, and the jobs that failed. */
export async function closeYear({ large }, { report }) {
  const database = await large.connect();
  await large.launch({ ROLE: 'worker' });
  const missed = (await brokenInvariants(database)).map((fault) => `before the year, ${fault}`);
  const rows = {};
  for (let month = 1; month <= MONTHS; month += 1) {
    await clearQueue(database);
    await setClock(database, month);
    const row = {};
    for (const job of JOBS) {
      const { seconds, failed } = await runJob(database, job);
      row[job.replace('billing.', '')] = `${seconds.toFixed(1)} s`;
      missed.push(...failed.map((failure) => `month ${month}, ${failure}`));
    }
    const broken = await brokenInvariants(database);
    missed.push(...broken.map((fault) => `month ${month}: ${fault}`));
    rows[`month ${month}`] = { ...row, invariants: broken.length === 0 ? 'hold' : 'BROKEN' };
    console.log(
      `  month ${month}: ${Object.entries(rows[`month ${month}`])
        .map((pair) => pair.join(' '))
        .join(', ')}`,
    );
  }
  await large.stopServices();
  report(rows);
  const { rows: open } = await database.query(
    `SELECT count(*)::int AS count FROM billing_account WHERE open_period < to_char(app_now() AT TIME ZONE 'UTC', 'YYYY-MM')`,
  );
  if (open[0].count > 0) missed.push(`${open[0].count} accounts did not reach the last month`);
  return missed;
}
