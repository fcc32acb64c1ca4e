import { type ClientBase, types } from 'pg';

const INT8: number = types.builtins.INT8;

/** Reads int8 as a number, as the API shows integers. Other types, such as numeric, keep the driver's text form. */
const JSON_TYPES = {
  getTypeParser: ((id: number, format?: 'text'): unknown =>
    id === INT8 ? Number : types.getTypeParser(id, format)) as typeof types.getTypeParser,
};

let cursors = 0;

/** Streams the rows of a query through a cursor, `batch` rows at a time. The session must be in a transaction. */
export async function* readRows(
  client: ClientBase,
  sql: string,
  values: unknown[],
  batch = 500,
): AsyncGenerator<object> {
  const cursor = `rows_${(cursors += 1)}`;
  await client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`, values);
  for (let count = batch; count === batch;) {
    const { rows } = await client.query<object>({ text: `FETCH ${batch} FROM ${cursor}`, types: JSON_TYPES });
    yield* rows;
    count = rows.length;
  }
  await client.query(`CLOSE ${cursor}`);
}
