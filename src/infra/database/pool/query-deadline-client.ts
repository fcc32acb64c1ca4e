import { type Duplex } from 'node:stream';
import { Client, type ClientConfig } from 'pg';
import { afterTicks } from '#infra/concurrency/ticks';

/** PostgreSQL cancels a statement after `statement_timeout`; its response may take this much longer. */
const GRACE_MS = 5_000;

export interface QueryDeadlineConfig extends ClientConfig {
  /** The number of ticks after which opening the connection fails. By default there is no limit. */
  readonly openTicks?: number;
}

/**
 * A connection that closes itself when a response does not arrive, because the server's host died or the network drops packets. TCP
 * alone detects that after a quarter of an hour, and pg's `query_timeout` fails the query but keeps the dead connection in the pool.
 * Without a `statement_timeout` there is no deadline.
 */
export class QueryDeadlineClient extends Client {
  private readonly openTicks: number | undefined;
  private readonly deadlineMs: number;
  private deadline: NodeJS.Timeout | undefined;

  constructor(config: QueryDeadlineConfig = {}) {
    super(config);
    this.openTicks = config.openTicks;
    this.deadlineMs = config.statement_timeout ? config.statement_timeout + GRACE_MS : 0;
    const clear = (): void => clearTimeout(this.deadline);
    this.on('drain', clear).on('end', clear);
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | void {
    if (this.openTicks !== undefined) {
      const stop = afterTicks(this.openTicks, () => this.stopOpening());
      this.once('connect', stop).once('end', stop);
    }
    return callback ? super.connect(callback) : super.connect();
  }

  /** Overrides every overload of the library. */
  override query(...query: never[]): never {
    clearTimeout(this.deadline);
    if (this.deadlineMs > 0) this.deadline = setTimeout(() => void this.end(), this.deadlineMs).unref();
    return super.query(...(query as unknown as [string])) as never;
  }

  private stopOpening(): void {
    const { stream } = (this as unknown as { readonly connection: { readonly stream: Duplex } }).connection;
    stream.destroy(new Error('timeout exceeded when trying to connect'));
  }
}
