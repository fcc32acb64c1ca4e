import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool } from 'pg';
import { type Logger } from '#infra/logging/logger';
import { DeadWorkers, GIVE_BACK, WORKER_LOCKS } from './dead-workers';

const RECONNECT_MS = 500;

/** A dead host, too, loses its lock after half a minute: the server asks the connection whether anybody is there. */
const NOTICE_DEAD_HOSTS = `
  SELECT set_config('tcp_keepalives_idle', '15', false), set_config('tcp_keepalives_interval', '5', false),
         set_config('tcp_keepalives_count', '3', false), set_config('idle_session_timeout', '0', false)`;

/**
 * How others know that a worker lives: it holds a session-level advisory lock on its id. PostgreSQL itself drops the lock
 * with the connection, whether the process was killed, crashed or lost its host; no clocks are compared and no heartbeats
 * are written. A worker that loses its connection takes the lock again at once. Meanwhile it looks for the dead.
 */
export class WorkerPulse {
  private readonly ended = new AbortController();
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

  /** Ends the life: jobs that are still locked with the id go back to the queue at once. */
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
        await this.pause(RECONNECT_MS);
      }
    }
  }

  private async session(workerId: string, held: () => void): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query(NOTICE_DEAD_HOSTS);
      await client.query('SELECT pg_advisory_lock($1::integer, hashtext($2))', [WORKER_LOCKS, workerId]);
      held();
      const dead = new DeadWorkers(this.logger);
      while (await this.pause(this.checkEveryMs)) await dead.release(client);
      await client.query(GIVE_BACK, [[workerId]]);
    } finally {
      // Closing the session is what drops the lock.
      client.release(true);
    }
  }

  /** False when the end came first. */
  private pause(milliseconds: number): Promise<boolean> {
    return sleep(milliseconds, true, { signal: this.ended.signal }).catch(() => false);
  }
}
