import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { deleteInBatches } from '#infra/database/sql';
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
