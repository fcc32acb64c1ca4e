import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { deleteInBatches, deleteOlder } from '#infra/database/sql';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  // As the owner, to create tables. A trigger records how many rows each statement deleted.
  dataSource = await new DataSource(dataSourceOptions(database.ownerUrl, 2)).initialize();
  await dataSource.query('CREATE TABLE chaff (id int PRIMARY KEY, is_old boolean NOT NULL)');
  await dataSource.query('CREATE TABLE deletion (id serial, rows int NOT NULL)');
  await dataSource.query(`
    CREATE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN INSERT INTO deletion (rows) SELECT count(*) FROM gone; RETURN NULL; END $$`);
  await dataSource.query(`
    CREATE TRIGGER chaff_deletion AFTER DELETE ON chaff REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION note_deletion()`);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(async () => {
  await dataSource.query('TRUNCATE chaff, deletion');
  await dataSource.query('INSERT INTO chaff SELECT n, n <= 2500 FROM generate_series(1, 2600) AS n');
});

const count = async (condition: string): Promise<number> => {
  const [row] = await dataSource.query<[{ count: number }]>(`SELECT count(*)::int FROM chaff WHERE ${condition}`);
  return row.count;
};

describe('deleteInBatches', () => {
  // red when: LIMIT is missing (one statement deletes 2500 rows), or the loop ends after its first round (1500 rows stay)
  it('deletes exactly the rows that meet the condition, at most a thousand per statement', async () => {
    await deleteInBatches(dataSource.manager, 'chaff', 'is_old');
    expect(await count('is_old')).toBe(0);
    expect(await count('NOT is_old')).toBe(100);
    const deletions: { rows: number }[] = await dataSource.query('SELECT rows FROM deletion ORDER BY id');
    expect(deletions.map(({ rows }) => rows)).toEqual([1000, 1000, 500]);
  });

  // red when: SKIP LOCKED is missing, so it waits for the lock until the timeout
  it('skips rows that another transaction has locked', async () => {
    await dataSource.transaction(async (holder) => {
      await holder.query('SELECT FROM chaff WHERE id <= 3 FOR UPDATE');
      await deleteInBatches(dataSource.manager, 'chaff', 'is_old');
    });
    expect(await count('is_old')).toBe(3);
    await deleteInBatches(dataSource.manager, 'chaff', 'is_old');
    expect(await count('is_old')).toBe(0);
  });
});

describe('deleteOlder', () => {
  const AGE = { column: 'at', age: `interval '1 day'` };

  // red when: the rows are not read in the order of the index, so that each statement searches the table for the old rows at its end
  it('deletes exactly the rows that are older, and reads no others', async () => {
    await dataSource.query('CREATE TABLE dated (id int PRIMARY KEY, at timestamptz NOT NULL)');
    await dataSource.query('CREATE INDEX ON dated (at)');
    await dataSource.query(`
      INSERT INTO dated
      SELECT n, now() - CASE WHEN n > 99000 THEN interval '25 hours' ELSE random() * interval '23 hours' END
      FROM generate_series(1, 100000) AS n`);
    await dataSource.query('ANALYZE dated');
    await dataSource.transaction(async (manager) => {
      await deleteOlder(manager, 'dated', AGE);
      const [{ scanned }] = await manager.query<[{ scanned: string }]>(
        `SELECT pg_stat_get_xact_tuples_returned('dated'::regclass) AS scanned`,
      );
      expect(Number(scanned)).toBe(0);
    });
    const [{ count: left }] = await dataSource.query<[{ count: number }]>('SELECT count(*)::int FROM dated');
    expect(left).toBe(99000);
  });
});
