import { Client, type ClientConfig } from 'pg';

/** PostgreSQL cancels a statement after `statement_timeout`; its response may take this much longer. */
const GRACE_MS = 5_000;

/**
 * A connection that closes itself when a response does not arrive, because the server's host died or the network drops packets. TCP
 * alone detects that after a quarter of an hour, and pg's `query_timeout` fails the query but keeps the dead connection in the pool.
 * Without a `statement_timeout` there is no deadline.
 */
export class QueryDeadlineClient extends Client {
  private readonly deadlineMs: number;
  private deadline: NodeJS.Timeout | undefined;

  constructor(config: ClientConfig = {}) {
    super(config);
    this.deadlineMs = config.statement_timeout ? config.statement_timeout + GRACE_MS : 0;
    const clear = (): void => clearTimeout(this.deadline);
    this.on('drain', clear).on('end', clear);
  }

  /** Overrides every overload of the library. */
  override query(...query: never[]): never {
    clearTimeout(this.deadline);
    if (this.deadlineMs > 0) this.deadline = setTimeout(() => void this.end(), this.deadlineMs).unref();
    return super.query(...(query as unknown as [string])) as never;
  }
}
