import { type ClientBase, types } from 'pg';

const INT8: number = types.builtins.INT8;

/** How values become JSON: as in the API, integers are numbers, and decimals, which may be longer, are text. */
const JSON_TYPES = {
  getTypeParser: ((id: number, format?: 'text'): unknown =>
    id === INT8 ? Number : types.getTypeParser(id, format)) as typeof types.getTypeParser,
};

let cursors = 0;

/** The rows of a query, some at a time however many there are. In the transaction of the session. */
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
