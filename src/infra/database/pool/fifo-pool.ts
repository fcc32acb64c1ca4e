import { Pool, type PoolClient, type PoolConfig } from 'pg';

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (broken?: unknown) => void,
) => void;

interface Waiter {
  readonly since: number;
  readonly serve: () => void;
  readonly refuse: () => void;
}

/** For so long nobody was served: those who hold the connections are stuck. */
const STILL_MS = 2_000;
/** The line moves, and is too long all the same. */
const MAX_MS = 30_000;

/**
 * A pool with a line before it. pg's own pool gives everybody the same time to wait, so that of a crowd those at the end are sent
 * away although the line moves. Here whoever waits is sent away when nobody was served for two seconds, or after half a minute.
 */
export class FifoPool extends Pool {
  private readonly line: Waiter[] = [];
  /** Connections that somebody has, or is about to have. */
  private taken = 0;
  private servedAt = 0;

  constructor(config: PoolConfig) {
    super(config);
    this.on('release', () => this.pass());
  }

  /** How many wait for a connection. */
  get inLine(): number {
    return this.line.length;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | void {
    const taken = this.turn().then(() => this.take());
    if (!callback) return taken;
    taken.then(
      (client) => callback(undefined, client, (broken) => client.release(broken as Error | boolean | undefined)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  private async take(): Promise<PoolClient> {
    try {
      const client = await super.connect();
      this.servedAt = performance.now();
      return client;
    } catch (error) {
      this.pass();
      throw error;
    }
  }

  private turn(): Promise<void> {
    if (this.taken < this.options.max) {
      this.taken++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const refuse = (): void => reject(new Error('timeout exceeded when trying to connect'));
      const waiter: Waiter = { since: performance.now(), serve: resolve, refuse };
      this.line.push(waiter);
      this.watch(waiter);
    });
  }

  /** Somebody has done with a connection, or could not have one: it is the next one's turn. */
  private pass(): void {
    const next = this.line.shift();
    if (next) next.serve();
    else this.taken--;
  }

  private watch(waiter: Waiter): void {
    const patience = this.endOf(waiter) - performance.now();
    // After whatever has come meanwhile: where the process had no time for its timers, it had none for its connections either.
    setTimeout(() => setImmediate(() => this.look(waiter)), patience).unref();
  }

  private look(waiter: Waiter): void {
    const place = this.line.indexOf(waiter);
    if (place < 0) return;
    if (performance.now() < this.endOf(waiter)) return this.watch(waiter);
    this.line.splice(place, 1);
    waiter.refuse();
  }

  private endOf({ since }: Waiter): number {
    return Math.min(Math.max(since, this.servedAt) + STILL_MS, since + MAX_MS);
  }
}
