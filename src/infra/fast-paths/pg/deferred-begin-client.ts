import { type ClientConfig, type QueryResult } from 'pg';
import { QueryDeadlineClient } from '#infra/database/pool/query-deadline-client';
import { BEGIN, type PostgresConnection, PreparedColumns, Statement, type StatementText } from './statement';

/** The statements with which TypeORM ends a transaction. */
const ENDS: readonly unknown[] = ['COMMIT', 'ROLLBACK'];

const NOTHING: QueryResult = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };

/**
 * A connection that begins a transaction together with its first statement, in one round trip. A transaction without a statement is not
 * sent at all. Statements in a transaction return promises and do not support callbacks.
 */
export class DeferredBeginClient extends QueryDeadlineClient {
  /** Whether a transaction was begun and nothing of it has been sent yet. */
  private isDeferred = false;
  /** Whether the next statement belongs to a transaction. */
  protected isInTransaction = false;
  private readonly messages: PostgresConnection;
  private readonly columns: PreparedColumns;

  constructor(config: ClientConfig = {}) {
    super(config);
    this.messages = (this as unknown as { connection: PostgresConnection }).connection;
    this.columns = new PreparedColumns(this.messages);
    this.messages.on('readyForQuery', ({ status }: { status: string }) => {
      this.isInTransaction = this.isDeferred || status !== 'I';
    });
  }

  /** Overrides every overload of the library. A text with values can have a third argument: the name under which it is prepared. */
  override query(...query: never[]): never {
    const [text, values, name] = query as unknown[];
    if (text === BEGIN) return this.defer() as never;
    const isStatement = hasValues(text, values) && typeof name !== 'function';
    const send = isStatement
      ? (begins: boolean) => this.send({ text, values, name } as StatementText, begins)
      : () => super.query(...query);
    if (!this.isDeferred) return send(false) as never;
    this.isDeferred = false;
    if (ENDS.includes(text)) return this.forget() as never;
    const isTogether = isStatement && (name === undefined || (name as string) in this.messages.parsedStatements);
    return (isTogether ? send(true) : this.begin().then(() => send(false))) as never;
  }

  private defer(): Promise<QueryResult> {
    this.isDeferred = this.isInTransaction = true;
    return Promise.resolve(NOTHING);
  }

  private forget(): Promise<QueryResult> {
    this.isInTransaction = false;
    return Promise.resolve(NOTHING);
  }

  private begin(): Promise<unknown> {
    return super.query(BEGIN as never);
  }

  private send(text: StatementText, begins: boolean): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done = (error: Error | undefined, result: unknown): void => (error ? reject(error) : resolve(result));
      super.query(new Statement(text, begins, this.columns, done) as never);
    });
  }
}

export const hasValues = (text: unknown, values: unknown): boolean =>
  typeof text === 'string' && Array.isArray(values) && values.length > 0;
