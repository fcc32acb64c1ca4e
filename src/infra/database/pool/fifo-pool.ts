import { Pool, type PoolClient, type PoolConfig, type QueryResult } from 'pg';
import { TICK_MS } from '#infra/concurrency/ticks';
import { type QueryDeadlineConfig } from './query-deadline-client';

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (broken?: unknown) => void,
) => void;

interface Waiter {
  /** In ticks. */
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: () => void;
}

/** A waiter is rejected when no connection was handed out for two seconds: the connections are stuck. */
const STALLED_TICKS = 2_000 / TICK_MS;
/** A waiter is rejected after half a minute in any case. */
const MAX_WAIT_TICKS = 30_000 / TICK_MS;

/**
 * A pool whose callers wait in a first-in, first-out queue. pg's own pool gives every caller the same timeout, so in a burst it rejects
 * the last callers although connections are being handed out. This pool rejects a caller only when no connection was handed out for two
 * seconds, or after half a minute (docs/decisions/0022-a-line-before-the-pool.md). Time is counted in ticks, so that a stall of this
 * process counts as one tick: the holders of connections can finish first, and so can the opening of a connection.
 */
export class FifoPool extends Pool {
  private queue: Waiter[] = [];
  /** Connections in use or being opened. */
  private inUse = 0;
  private ticks = 0;
  private lastConnectedAt = 0;
  private ticker: NodeJS.Timeout | undefined;

  constructor({ connectionTimeoutMillis = 0, ...config }: PoolConfig) {
    const opening: QueryDeadlineConfig = connectionTimeoutMillis
      ? { openTicks: connectionTimeoutMillis / TICK_MS }
      : {};
    super({ ...config, ...opening });
    this.on('release', () => this.next());
  }

  /** Number of callers that wait for a connection. */
  get waiting(): number {
    return this.queue.length;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | void {
    const connected = this.enter().then(() => this.open());
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, (broken) => client.release(broken as Error | boolean | undefined)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  /**
   * Sends one statement outside a transaction. pg's own `query` closes the connection when the statement fails, and does not prepare
   * statements.
   */
  async send(statement: string, values: unknown[] = []): Promise<QueryResult> {
    const client = await this.connect();
    let broken: Error | undefined;
    const onError = (error: Error): void => void (broken = error);
    client.on('error', onError);
    try {
      return await client.query(statement, values);
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  private async open(): Promise<PoolClient> {
    try {
      const client = await super.connect();
      this.lastConnectedAt = this.ticks;
      return client;
    } catch (error) {
      this.next();
      throw error;
    }
  }

  /** Resolves when a connection is free for this caller. */
  private enter(): Promise<void> {
    if (this.inUse < this.options.max) {
      this.inUse++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const expire = (): void => reject(new Error('timeout exceeded when trying to connect'));
      this.queue.push({ since: this.ticks, resolve, reject: expire });
      this.ticker ??= setInterval(() => this.tick(), TICK_MS).unref();
    });
  }

  /** Hands a released connection, or the slot of a failed one, to the first waiter. */
  private next(): void {
    const waiter = this.queue.shift();
    if (waiter) waiter.resolve();
    else this.inUse--;
  }

  private tick(): void {
    this.ticks += 1;
    const expired = this.queue.filter((waiter) => this.hasExpired(waiter));
    this.queue = this.queue.filter((waiter) => !expired.includes(waiter));
    for (const waiter of expired) waiter.reject();
    if (this.queue.length > 0) return;
    clearInterval(this.ticker);
    this.ticker = undefined;
  }

  private hasExpired({ since }: Waiter): boolean {
    return this.ticks >= Math.min(Math.max(since, this.lastConnectedAt) + STALLED_TICKS, since + MAX_WAIT_TICKS);
  }
}
