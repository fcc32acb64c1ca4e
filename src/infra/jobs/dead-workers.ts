import { type ClientBase } from 'pg';
import { type Logger } from '#infra/logging/logger';

/** First key of the advisory locks that living workers hold ("jobs"); the second is the hash of the worker's id. */
export const WORKER_LOCKS = 0x6a6f6273;

export const GIVE_BACK = 'SELECT graphile_worker.force_unlock_workers($1::text[])';

const OWNERS_WITHOUT_LOCK = `
  SELECT DISTINCT locked_by FROM graphile_worker.jobs AS job
  WHERE locked_by IS NOT NULL AND NOT EXISTS (
    SELECT FROM pg_locks AS lock
    WHERE lock.locktype = 'advisory' AND lock.granted AND lock.objsubid = 2
      AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND lock.classid = $1::integer::oid AND lock.objid = hashtext(job.locked_by)::oid)`;

/**
 * Gives the jobs of dead workers back to the queue. A worker's jobs are locked with its id; an id that no living session
 * holds (see WorkerPulse) is a dead worker's. Left alone, the queue waits four hours before it takes a lock for stale,
 * since it cannot know.
 *
 * Twice in a row, because a worker can lose its connection and live on (the database restarts) until it has another.
 * Should it be cut off for longer than that, its running jobs run a second time elsewhere.
 */
export class DeadWorkers {
  private suspects: readonly string[] = [];

  constructor(private readonly logger: Logger) {}

  /** Releases what was ownerless at the last look and still is. */
  async release(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ locked_by: string }>(OWNERS_WITHOUT_LOCK, [WORKER_LOCKS]);
    const missing = rows.map((row) => row.locked_by);
    const dead = missing.filter((owner) => this.suspects.includes(owner));
    this.suspects = missing;
    if (dead.length === 0) return;
    await client.query(GIVE_BACK, [dead]);
    this.logger.warn({ workers: dead }, 'Gave the jobs of dead workers back to the queue');
  }
}
