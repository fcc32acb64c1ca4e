import { type Connection, Query } from 'pg';

/** The statement with which TypeORM begins a transaction. */
export const BEGIN = 'START TRANSACTION';

export interface StatementText {
  readonly text: string;
  /** At least one, so that the text is one statement. */
  readonly values: readonly unknown[];
  /** The name under which it is prepared; undefined when it is sent unprepared. */
  readonly name: string | undefined;
}

type Done = (error: Error | undefined, result: unknown) => void;

/** What the types of the library leave out. */
export interface PostgresConnection extends Connection {
  readonly parsedStatements: Readonly<Record<string, string>>;
  parse(message: { readonly text: string }): void;
  bind(message: object): void;
  execute(message: object): void;
}

const ExtendedQuery = Query as unknown as new (
  text: string,
  values: readonly unknown[],
  done: Done,
) => Query & {
  name?: string;
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

  constructor({ text, values, name }: StatementText, begins: boolean, done: Done) {
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
    super.prepare(connection);
  }

  override handleCommandComplete(message: unknown, connection: PostgresConnection): void {
    if (this.isBeginning) this.isBeginning = false;
    else super.handleCommandComplete(message, connection);
  }
}
