import { Pool, type PoolClient, type PoolConfig } from 'pg';

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (broken?: unknown) => void,
) => void;

interface Waiter {
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: () => void;
}

/** A waiter is rejected when no connection was handed out for this long: the connections are stuck. */
const STALLED_MS = 2_000;
/** A waiter is rejected after this long in any case. */
const MAX_WAIT_MS = 30_000;

/**
 * A pool whose callers wait in a first-in, first-out queue. pg's own pool gives every caller the same timeout, so in a burst it rejects
 * the last callers although connections are being handed out. This pool rejects a caller only when no connection was handed out for two
 * seconds, or after half a minute (docs/decisions/0022-a-line-before-the-pool.md).
 */
export class FifoPool extends Pool {
  private readonly queue: Waiter[] = [];
  /** Connections in use or being opened. */
  private inUse = 0;
  private lastConnectedAt = 0;

  constructor(config: PoolConfig) {
    super(config);
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

  private async open(): Promise<PoolClient> {
    try {
      const client = await super.connect();
      this.lastConnectedAt = performance.now();
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
      const waiter: Waiter = { since: performance.now(), resolve, reject: expire };
      this.queue.push(waiter);
      this.startTimer(waiter);
    });
  }

  /** Hands a released connection, or the slot of a failed one, to the first waiter. */
  private next(): void {
    const waiter = this.queue.shift();
    if (waiter) waiter.resolve();
    else this.inUse--;
  }

  private startTimer(waiter: Waiter): void {
    const remainingMs = this.deadlineOf(waiter) - performance.now();
    // `setImmediate` lets pending I/O run first: a busy event loop delays the timers and the connections alike.
    setTimeout(() => setImmediate(() => this.check(waiter)), remainingMs).unref();
  }

  private check(waiter: Waiter): void {
    const index = this.queue.indexOf(waiter);
    if (index < 0) return;
    if (performance.now() < this.deadlineOf(waiter)) return this.startTimer(waiter);
    this.queue.splice(index, 1);
    waiter.reject();
  }

  private deadlineOf({ since }: Waiter): number {
    return Math.min(Math.max(since, this.lastConnectedAt) + STALLED_MS, since + MAX_WAIT_MS);
  }
}
