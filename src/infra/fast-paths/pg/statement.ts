import { type Connection, Query } from 'pg';

/** The statement with which TypeORM begins a transaction. */
export const BEGIN = 'START TRANSACTION';

export interface StatementText {
  readonly text: string;
  /** At least one value: PostgreSQL accepts values only with a single statement. */
  readonly values: readonly unknown[];
  /** The name under which it is prepared; undefined when it is sent unprepared. */
  readonly name: string | undefined;
}

type Done = (error: Error | undefined, result: unknown) => void;

/** The properties in which the library stores the columns of a result. */
interface Columns {
  fields: unknown;
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** The members of a connection that the types of the library leave out. */
export interface PostgresConnection extends Connection {
  readonly parsedStatements: Readonly<Record<string, string>>;
  parse(message: { readonly text: string }): void;
  bind(message: object): void;
  execute(message: object): void;
}

/**
 * The columns of the statements that a connection has prepared. The library would request and read them with each result, which takes a
 * tenth of a small request. They stay valid: PostgreSQL rejects a prepared statement whose columns have changed.
 */
export class PreparedColumns {
  private readonly columns = new Map<string, Columns>();
  /** The connection, without requests for columns. */
  readonly undescribed: PostgresConnection;

  constructor(connection: PostgresConnection) {
    this.undescribed = Object.create(connection, { describe: { value: () => undefined } }) as PostgresConnection;
  }

  /** Keeps the columns of a complete result, also when it has none. */
  keep(name: string, { fields, _parsers, _prebuiltEmptyResultObject }: Columns): void {
    if (!this.columns.has(name)) this.columns.set(name, { fields, _parsers, _prebuiltEmptyResultObject });
  }

  /** Gives a result its columns. @returns false when they are not known. */
  fill(name: string, result: Columns): boolean {
    const known = this.columns.get(name);
    if (known) Object.assign(result, known);
    return known !== undefined;
  }
}

const ExtendedQuery = Query as unknown as new (
  text: string,
  values: readonly unknown[],
  done: Done,
) => Query & {
  name?: string;
  readonly _result: Columns;
  _accumulateRows: boolean;
  prepare(connection: PostgresConnection): void;
  handleCommandComplete(message: unknown, connection: PostgresConnection): void;
};

/**
 * A statement with values. It can begin its transaction: one Sync follows both, so PostgreSQL skips the statement if the transaction does
 * not begin. A named statement can do so only after it was prepared, because the library takes the first response, which is that to the
 * BEGIN, as proof that the statement was prepared.
 */
export class Statement extends ExtendedQuery {
  private isBeginning: boolean;

  constructor(
    { text, values, name }: StatementText,
    begins: boolean,
    private readonly columns: PreparedColumns,
    done: Done,
  ) {
    // The library would clone an object with its property descriptors, which takes a tenth of the time of a statement.
    super(text, values, done);
    if (name !== undefined) this.name = name;
    this.isBeginning = begins;
  }

  override prepare(connection: PostgresConnection): void {
    if (this.isBeginning) {
      connection.parse({ text: BEGIN });
      connection.bind({});
      connection.execute({});
    }
    const isKnown = this.name !== undefined && this.columns.fill(this.name, this._result);
    // The library sets it when it receives the columns.
    this._accumulateRows = true;
    super.prepare(isKnown ? this.columns.undescribed : connection);
  }

  override handleCommandComplete(message: unknown, connection: PostgresConnection): void {
    if (this.isBeginning) {
      this.isBeginning = false;
      return;
    }
    super.handleCommandComplete(message, connection);
    if (this.name !== undefined) this.columns.keep(this.name, this._result);
  }
}
