import { isStalePlan } from '#infra/database/database-errors';
import { StatementNames } from '#infra/database/pool/statement-names';
import { DeferredBeginClient, hasValues } from './deferred-begin-client';

/**
 * A connection that prepares frequent statements, so that PostgreSQL parses them once per connection
 * (docs/decisions/0052-prepared-statements.md).
 */
export class PreparingClient extends DeferredBeginClient {
  static readonly names = new StatementNames();

  /** Overrides every overload of the library. */
  override query(...query: never[]): never {
    const [text, values, callback] = query as unknown[];
    const name =
      hasValues(text, values) && callback === undefined ? PreparingClient.names.nameOf(text as string) : undefined;
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
      return await send(text, values, name);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      PreparingClient.names.renew();
      if (this.isInTransaction) throw error;
      return send(text, values);
    }
  }
}
