import { type ClientBase, types } from 'pg';

const BATCH = 500;
const INT8: number = types.builtins.INT8;

/** Reads int8 as a number, as the API shows integers. Other types, such as numeric, keep the driver's text form. */
const JSON_TYPES = {
  getTypeParser: ((id: number, format?: 'text'): unknown =>
    id === INT8 ? Number : types.getTypeParser(id, format)) as typeof types.getTypeParser,
};

/** A SELECT with a WHERE clause, and expressions that together are different for each of its rows, and never change. */
export interface KeyedSelect {
  readonly sql: string;
  readonly key: readonly string[];
  /** The column of a joined table that equals the first expression of the key. Without it, each statement could read that table from its start. */
  readonly parent?: string | undefined;
  readonly values: readonly unknown[];
}

export interface KeyedRow {
  readonly row: object;
  /** The values of the key. They can be stored as JSON, to continue after the row. */
  readonly key: readonly unknown[];
}

/**
 * Reads rows in the order of their key, some hundred per statement. No snapshot stays open between two statements, so nothing keeps vacuum
 * from its work, however long the reader takes. A row that exists all the time is read once; one that is inserted or deleted in that time may
 * be read or not. Outside a transaction, rows of different statements are of different times.
 * @param after the key of the last row that was read before; null from the first.
 */
export async function* readByKey(
  client: ClientBase,
  select: KeyedSelect,
  after: readonly unknown[] | null = null,
  batch = BATCH,
): AsyncGenerator<KeyedRow> {
  for (let last = after; ;) {
    const values = [...select.values, ...(last ?? [])];
    const text = statementOf(select, last !== null, batch);
    const { rows } = await client.query<Record<string, unknown>>({ text, values, types: JSON_TYPES });
    for (const found of rows) {
      const key = select.key.map((_, index) => found[nameOf(index)]);
      for (const index of select.key.keys()) Reflect.deleteProperty(found, nameOf(index));
      last = key;
      yield { row: found, key };
    }
    if (rows.length < batch) return;
  }
}

const nameOf = (index: number): string => `key:${index}`;

/** The comparison of all but the last expression lets an index find the rows where the last one is of another table. */
function statementOf({ sql, key, parent, values }: KeyedSelect, continues: boolean, batch: number): string {
  const keyed = key.map((expression, index) => `${expression} AS "${nameOf(index)}"`).join(', ');
  const places = key.map((_, index) => `$${values.length + index + 1}`);
  const compare = (operator: string, count: number): string =>
    `(${key.slice(0, count).join(', ')}) ${operator} (${places.slice(0, count).join(', ')})`;
  const rest = key.length > 1 ? ` AND ${compare('>=', key.length - 1)}` : '';
  const joined = parent ? ` AND ${parent} >= ${places[0]}` : '';
  const condition = continues ? ` AND ${compare('>', key.length)}${rest}${joined}` : '';
  return `SELECT ${keyed}, ${sql.replace(/^SELECT /, '')}${condition} ORDER BY ${key.join(', ')} LIMIT ${batch}`;
}
