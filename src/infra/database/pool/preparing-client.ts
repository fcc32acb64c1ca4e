import { type ClientConfig } from 'pg';
import { isStalePlan } from '../database-errors';
import { QueryDeadlineClient } from './query-deadline-client';
import { StatementNames } from './statement-names';

const names = new StatementNames();

/**
 * A connection that prepares frequent statements, so that PostgreSQL parses them once per connection
 * (docs/decisions/0052-prepared-statements.md).
 */
export class PreparingClient extends QueryDeadlineClient {
  private isInTransaction = false;

  constructor(config: ClientConfig = {}) {
    super(config);
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
    connection.on('readyForQuery', ({ status }: { status: string }) => (this.isInTransaction = status !== 'I'));
  }

  /** Overrides every overload of the library. Only the one that TypeORM uses prepares: a text with values, without a callback. */
  override query(...query: never[]): never {
    const [text, values, callback] = query as unknown[];
    const isPlain = typeof text === 'string' && Array.isArray(values) && values.length > 0 && callback === undefined;
    const name = isPlain ? names.nameOf(text) : undefined;
    if (name === undefined) return super.query(...query);
    return this.queryPrepared(name, text as string, values as unknown[]) as never;
  }

  /**
   * A statement that was prepared before a migration changed the type of a column fails. Outside a transaction it is sent again,
   * unprepared; a transaction is retried by `Transactions`.
   */
  private async queryPrepared(name: string, text: string, values: unknown[]): Promise<unknown> {
    const send = (...query: unknown[]): Promise<unknown> => super.query(...(query as never[]));
    try {
      return await send({ name, text, values });
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      names.renew();
      if (this.isInTransaction) throw error;
      return send(text, values);
    }
  }
}
