import { Client, type ClientConfig } from 'pg';

/** PostgreSQL itself ends a statement after `statement_timeout`; its word has so long to arrive. */
const GRACE_MS = 5_000;

/**
 * A connection that hangs up when an answer does not come: the server's host has died, or the network swallows what is sent.
 * TCP alone believes in such a connection for a quarter of an hour, and `query_timeout` lets go of the query but keeps the
 * connection, so that the pool would hand it out again and again. Here its query fails, and a new connection takes its place.
 * Without a `statement_timeout` it waits as long as it takes.
 */
export class QueryDeadlineClient extends Client {
  private readonly patienceMs: number;
  private patience: NodeJS.Timeout | undefined;

  constructor(config: ClientConfig = {}) {
    super(config);
    this.patienceMs = config.statement_timeout ? config.statement_timeout + GRACE_MS : 0;
    const isAnswered = (): void => clearTimeout(this.patience);
    this.on('drain', isAnswered).on('end', isAnswered);
  }

  /** Every overload of the library's: whatever is asked, an answer is owed. */
  override query(...asked: never[]): never {
    clearTimeout(this.patience);
    if (this.patienceMs > 0) this.patience = setTimeout(() => void this.end(), this.patienceMs).unref();
    return super.query(...(asked as unknown as [string])) as never;
  }
}
