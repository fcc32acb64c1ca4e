import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, type PoolClient } from 'pg';
import { type Logger } from '#platform/logging/logger';

/** First key of the advisory locks that living workers hold ("jobs"); the second is the hash of the worker's id. */
const LOCK_SPACE = 0x6a6f6273;
const RECONNECT_MS = 500;

/** A dead host, too, loses its lock after half a minute: the server asks the connection whether anybody is there. */
const NOTICE_DEAD_HOSTS = `
  SELECT set_config('tcp_keepalives_idle', '15', false), set_config('tcp_keepalives_interval', '5', false),
         set_config('tcp_keepalives_count', '3', false), set_config('idle_session_timeout', '0', false)`;

const OWNERS_WITHOUT_LOCK = `
  SELECT DISTINCT locked_by FROM graphile_worker.jobs AS job
  WHERE locked_by IS NOT NULL AND NOT EXISTS (
    SELECT FROM pg_locks AS lock
    WHERE lock.locktype = 'advisory' AND lock.granted AND lock.objsubid = 2
      AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND lock.classid = $1::integer::oid AND lock.objid = hashtext(job.locked_by)::oid)`;

/**
 * Tells living workers from dead ones, and gives the jobs of the dead back to the queue.
 *
 * A worker's jobs are locked with its id. Left alone, the queue waits four hours before it takes such a lock for stale,
 * since it cannot know. Here each worker holds a session-level advisory lock for as long as it lives: PostgreSQL itself
 * drops it with the connection, whether the process was killed, crashed or lost its host. No clocks are compared and no
 * heartbeats are written.
 *
 * A worker can lose its connection and live on (the database restarts): it takes the lock again at once, and an owner is
 * taken for dead only when two checks in a row find no lock. Should it be cut off for longer than that, its running jobs
 * run a second time elsewhere; handlers are idempotent for that reason too.
 */
export class WorkerPulse {
  private readonly ended = new AbortController();
  private suspects: readonly string[] = [];
  private beating: Promise<void> | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly logger: Logger,
    private readonly checkEveryMs: number,
  ) {}

  /** Starts living under an id; resolves when the lock is held, so before the first job is taken. */
  start(workerId: string): Promise<void> {
    return new Promise((held) => {
      this.beating = this.beat(workerId, held).finally(held);
    });
  }

  /** Lets the lock go: whatever is still locked with the id belongs to nobody. */
  async stop(): Promise<void> {
    this.ended.abort();
    await this.beating;
  }

  private async beat(workerId: string, held: () => void): Promise<void> {
    const { signal } = this.ended;
    while (!signal.aborted) {
      try {
        await this.session(workerId, held);
      } catch (error) {
        if (signal.aborted) return;
        this.logger.warn({ err: error, workerId }, 'The job worker lost its database session; connecting again');
        await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private async session(workerId: string, held: () => void): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query(NOTICE_DEAD_HOSTS);
      await client.query('SELECT pg_advisory_lock($1::integer, hashtext($2))', [LOCK_SPACE, workerId]);
      held();
      for (;;) {
        await sleep(this.checkEveryMs, undefined, { signal: this.ended.signal });
        await this.releaseTheDead(client);
      }
    } finally {
      // Closing the session is what drops the lock.
      client.release(true);
    }
  }

  private async releaseTheDead(client: PoolClient): Promise<void> {
    const { rows } = await client.query<{ locked_by: string }>(OWNERS_WITHOUT_LOCK, [LOCK_SPACE]);
    const missing = rows.map((row) => row.locked_by);
    const dead = missing.filter((owner) => this.suspects.includes(owner));
    this.suspects = missing;
    if (dead.length === 0) return;
    await client.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [dead]);
    this.logger.warn({ workers: dead }, 'Gave the jobs of dead workers back to the queue');
  }
}
