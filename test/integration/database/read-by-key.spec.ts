import { Client } from 'pg';
import { type KeyedRow, type KeyedSelect, readByKey } from '#infra/database/read-by-key';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';

const SHEET: KeyedSelect = { sql: 'SELECT id, name FROM sheet WHERE owner = $1', key: ['id'], values: ['ann'] };
const LINE: KeyedSelect = {
  sql: 'SELECT l.number FROM sheet s JOIN line l ON l.sheet_id = s.id WHERE s.owner = $1',
  key: ['s.id', 'l.number'],
  values: ['ann'],
};

describe('readByKey', () => {
  let database: TestDatabase;
  let client: Client;
  let other: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    [client, other] = [database.ownerUrl, database.ownerUrl].map(
      (connectionString) => new Client({ connectionString }),
    ) as [Client, Client];
    await Promise.all([client.connect(), other.connect()]);
    await other.query(`CREATE TABLE sheet (id bigint PRIMARY KEY, owner text NOT NULL, name text NOT NULL)`);
    await other.query(
      `CREATE TABLE line (sheet_id bigint NOT NULL REFERENCES sheet, number int NOT NULL, PRIMARY KEY (sheet_id, number))`,
    );
  });
  afterAll(async () => {
    await Promise.all([client.end(), other.end()]);
    await database.drop();
  });
  beforeEach(async () => {
    await other.query('TRUNCATE sheet, line');
    await other.query(
      `INSERT INTO sheet SELECT n, CASE WHEN n % 3 = 0 THEN 'bob' ELSE 'ann' END, 'Sheet ' || n FROM generate_series(1, 30) n`,
    );
    await other.query('INSERT INTO line SELECT id, n FROM sheet, generate_series(1, id::int % 4) n');
  });

  const all = async (select: KeyedSelect, after: KeyedRow['key'] | null = null, batch = 7): Promise<KeyedRow[]> => {
    const found: KeyedRow[] = [];
    for await (const row of readByKey(client, select, after, batch)) found.push(row);
    return found;
  };

  // red when: a batch repeats the row before it, or the last batch is left out
  it.each([1, 7, 20, 21])('returns each row once, in the order of the key, in batches of %i', async (batch) => {
    const { rows } = await other.query<{ id: string; name: string }>(
      `SELECT id, name FROM sheet WHERE owner = 'ann' ORDER BY id`,
    );
    const found = await all(SHEET, null, batch);
    expect(found.map(({ row }) => row)).toEqual(rows.map(({ id, name }) => ({ id: Number(id), name })));
    const lines = await other.query<{ number: number }>(
      `SELECT number FROM sheet s JOIN line l ON l.sheet_id = s.id WHERE owner = 'ann' ORDER BY s.id, number`,
    );
    expect((await all(LINE, null, batch)).map(({ row }) => row)).toEqual(lines.rows);
  });

  // red when: the statement has no condition on the parent, or the key is of the parent
  it('reads a joined table from its position on', async () => {
    await other.query(`INSERT INTO sheet SELECT n, 'ann', 'Sheet' FROM generate_series(100, 20000) n`);
    await other.query('INSERT INTO line SELECT id, n FROM sheet, generate_series(1, 3) n WHERE id >= 100');
    await other.query('VACUUM (ANALYZE) sheet, line');
    const select = { ...LINE, key: ['l.sheet_id', 'l.number'], parent: 's.id' };
    await client.query('BEGIN');
    // As PostgreSQL reads large tables.
    await client.query(
      'SET LOCAL enable_hashjoin = off; SET LOCAL enable_nestloop = off; SET LOCAL enable_seqscan = off',
    );
    await readByKey(client, select, [15_000, 1], 500).next();
    const { rows } = await client.query<{ table: string; read: string }>(
      `SELECT t AS table, pg_stat_get_xact_tuples_returned(i.indexrelid) AS read
       FROM unnest('{sheet,line}'::text[]) t JOIN pg_index i ON i.indrelid = t::regclass`,
    );
    await client.query('COMMIT');
    for (const { read } of rows) expect(Number(read)).toBeLessThan(5_000);
    expect(rows.some(({ read }) => Number(read) > 0)).toBe(true);
  });

  // red when: the key is kept as something that JSON changes
  it('continues after any row, by its key as JSON', async () => {
    const lines = await all(LINE);
    for (const [index, { key }] of lines.entries()) {
      const rest = await all(LINE, JSON.parse(JSON.stringify(key)) as unknown[]);
      expect(rest).toEqual(lines.slice(index + 1));
    }
  });

  // red when: the rows are read with a cursor or in one transaction, whose snapshot keeps vacuum from its work
  it('keeps no snapshot between two batches, and sees rows that are added behind its position', async () => {
    const reader = readByKey(client, SHEET, null, 5);
    await reader.next();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const state = await other.query(`SELECT state, backend_xmin AS xmin FROM pg_stat_activity WHERE pid = $1`, [
      rows[0]!.pid,
    ]);
    expect(state.rows).toEqual([{ state: 'idle', xmin: null }]);
    await other.query(`INSERT INTO sheet VALUES (0, 'ann', 'before'), (31, 'ann', 'behind')`);
    const names: unknown[] = [];
    for await (const { row } of reader) names.push((row as { name: string }).name);
    expect(names).toHaveLength(20);
    expect(names.at(-1)).toBe('behind');
  });
});
