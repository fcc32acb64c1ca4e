import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientBase, type Pool } from 'pg';
import { type Logger } from '#infra/logging/logger';

/** First key of the advisory lock that a running worker holds (the bytes of "jobs"); the second is the hash of the worker's id. */
export const WORKER_LOCKS = 0x6a6f6273;

const UNLOCK_JOBS = 'SELECT graphile_worker.force_unlock_workers($1::text[])';

const OWNERS_WITHOUT_LOCK = `
  SELECT DISTINCT locked_by FROM graphile_worker.jobs AS job
  WHERE locked_by IS NOT NULL AND NOT EXISTS (
    SELECT FROM pg_locks AS lock
    WHERE lock.locktype = 'advisory' AND lock.granted AND lock.objsubid = 2
      AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND lock.classid = $1::integer::oid AND lock.objid = hashtext(job.locked_by)::oid)`;

const RECONNECT_MS = 500;

/** Makes the server drop the lock of a dead host after half a minute, by TCP keep-alive. */
const SET_KEEPALIVE = `
  SELECT set_config('tcp_keepalives_idle', '15', false), set_config('tcp_keepalives_interval', '5', false),
         set_config('tcp_keepalives_count', '3', false), set_config('idle_session_timeout', '0', false)`;

/**
 * Shows other processes that a worker is running: it holds a session-level advisory lock on its id. PostgreSQL drops the lock with the
 * connection when the process is killed, crashes or loses its host, so no clocks are compared and no heartbeats are written. A worker
 * whose connection ends takes the lock on a new one, without waiting for its next check. While it holds the lock it sweeps the jobs of
 * dead workers.
 */
export class WorkerLiveness {
  private readonly ended = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly logger: Logger,
    private readonly checkEveryMs: number,
  ) {}

  /** Takes the lock of this worker id. Resolves when the lock is held, which is before the first job is fetched. */
  start(workerId: string): Promise<void> {
    return new Promise((held) => {
      this.running = this.run(workerId, held).finally(held);
    });
  }

  /** Returns the jobs that are still locked with the id to the queue and drops the lock. */
  async stop(): Promise<void> {
    this.ended.abort();
    await this.running;
  }

  private async run(workerId: string, held: () => void): Promise<void> {
    const { signal } = this.ended;
    while (!signal.aborted) {
      try {
        await this.session(workerId, held);
      } catch (error) {
        if (signal.aborted) return;
        this.logger.warn({ err: error, workerId }, 'The job worker lost its database session; connecting again');
        await this.pause(RECONNECT_MS);
      }
    }
  }

  private async session(workerId: string, held: () => void): Promise<void> {
    const client = await this.pool.connect();
    const lost = new AbortController();
    client.once('end', () => lost.abort(new Error('The connection has ended.')));
    const interrupted = AbortSignal.any([this.ended.signal, lost.signal]);
    try {
      await client.query(SET_KEEPALIVE);
      await client.query('SELECT pg_advisory_lock($1::integer, hashtext($2))', [WORKER_LOCKS, workerId]);
      held();
      const dead = new DeadWorkerSweep(this.logger);
      while (await this.pause(this.checkEveryMs, interrupted)) {
        lost.signal.throwIfAborted();
        await dead.release(client);
      }
      await client.query(UNLOCK_JOBS, [[workerId]]);
    } finally {
      // Closing the connection drops the lock.
      client.release(true);
    }
  }

  /** Ends early when the signal aborts. False when `stop` was called. */
  private pause(milliseconds: number, signal = this.ended.signal): Promise<boolean> {
    return sleep(milliseconds, true, { signal }).catch(() => !this.ended.signal.aborted);
  }
}

/**
 * Returns the jobs of dead workers to the queue. A worker locks its jobs with its id and holds an advisory lock on that id
 * (see WorkerLiveness); an id without that lock belongs to a dead worker. The queue itself treats a lock as stale only after four hours.
 *
 * An id must be without its lock at two checks in a row, because a worker that lost its connection (the database restarted) takes the
 * lock again as soon as it reconnects. When it stays disconnected for longer, its running jobs run a second time elsewhere.
 */
export class DeadWorkerSweep {
  private suspects: readonly string[] = [];

  constructor(private readonly logger: Logger) {}

  /** Unlocks the jobs of workers that had no lock at the previous check either. */
  async release(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ locked_by: string }>(OWNERS_WITHOUT_LOCK, [WORKER_LOCKS]);
    const missing = rows.map((row) => row.locked_by);
    const dead = missing.filter((owner) => this.suspects.includes(owner));
    this.suspects = missing;
    if (dead.length === 0) return;
    await client.query(UNLOCK_JOBS, [dead]);
    this.logger.warn({ workers: dead }, 'Returned the jobs of dead workers to the queue');
  }
}
