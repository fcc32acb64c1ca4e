// Runs scheduled jobs, and waits until the queue is empty.
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;
const LIMIT_MS = 900_000;

/** The names of all schedules, as the workers have announced them. */
export async function schedulesOf(database) {
  const { rows } = await database.query('SELECT identifier FROM graphile_worker._private_known_crontabs ORDER BY 1');
  return rows.map(({ identifier }) => identifier);
}

/**
 * Adds a job and waits until it has ended, and all jobs that it added.
 * @returns the seconds, and the errors of attempts that failed.
 */
export async function runJob(database, name) {
  const started = performance.now();
  await database.query('SELECT FROM graphile_worker.add_job($1, job_key => $1)', [name]);
  for (;;) {
    const { rows } = await database.query(
      `SELECT task_identifier AS name, last_error AS error FROM graphile_worker.jobs
       WHERE locked_at IS NOT NULL OR run_at <= now() + interval '1 minute' AND attempts < max_attempts`,
    );
    const failed = rows.filter(({ error }) => error).map(({ name: of, error }) => `${of}: ${error.split('\n')[0]}`);
    const seconds = (performance.now() - started) / 1000;
    if (rows.length === 0 || failed.length > 0 || seconds * 1000 > LIMIT_MS)
      return { seconds, failed: rows.length > 0 && failed.length === 0 ? ['does not end'] : failed };
    await sleep(POLL_MS);
  }
}

/** Removes what waits in the queue, so that it is not counted as work of the next job. */
export const clearQueue = (database) =>
  database.query(
    `SELECT graphile_worker.complete_jobs(array(SELECT id FROM graphile_worker.jobs WHERE locked_at IS NULL))`,
  );
