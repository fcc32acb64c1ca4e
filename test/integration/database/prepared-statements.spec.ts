import { DataSource } from 'typeorm';
import { ANONYMOUS } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { SystemClock } from '#infra/clock/system-clock';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { Transactions } from '#infra/database/transactions';
import { PreparingClient } from '#infra/fast-paths/pg/preparing-client';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';

const ctx: RequestContext = { requestId: 'request-1', sourceIp: null, identity: ANONYMOUS, clock: new SystemClock() };
const READ = 'SELECT id, value FROM counter WHERE id = $1';
const OTHER = 'SELECT value FROM counter WHERE id = $1';

let database: TestDatabase;
let prepared: DataSource;
let unprepared: DataSource;
let migrator: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  // One connection each, as the owner, to create a table.
  [prepared, unprepared, migrator] = (await Promise.all(
    [true, false, false].map((prepare) =>
      new DataSource(dataSourceOptions(database.ownerUrl, 1, { prepare })).initialize(),
    ),
  )) as [DataSource, DataSource, DataSource];
});
afterAll(async () => {
  await Promise.all([prepared, unprepared, migrator].map((each) => each.destroy()));
  await database.drop();
});
beforeEach(async () => {
  // Test files that ran before in this process may have sent more frequent statements than are prepared.
  PreparingClient.names.renew();
  await migrator.query('DROP TABLE IF EXISTS counter');
  await migrator.query('CREATE TABLE counter (id int PRIMARY KEY, value int NOT NULL)');
  await migrator.query('INSERT INTO counter VALUES (1, 7)');
});

/** Sends a statement often enough that it is worth preparing. */
const warm = async (statement: string, source = prepared): Promise<void> => {
  for (let time = 0; time < 5; time++) await source.query(statement, [1]);
};
const statementsOf = async (source: DataSource): Promise<string[]> =>
  (await source.query<{ statement: string }[]>('SELECT statement FROM pg_prepared_statements')).map(
    ({ statement }) => statement,
  );
/** As a migration of the next release would, in another process. */
const changeType = (): Promise<unknown> => migrator.query('ALTER TABLE counter ALTER COLUMN value TYPE text');

describe('statements of the service', () => {
  it('are prepared when they are sent often, unless DATABASE_PREPARE is off', async () => {
    await prepared.query('SELECT 1 + $1::int', [1]);
    await warm(READ);
    await warm(READ, unprepared);
    expect(await statementsOf(prepared)).toEqual([READ]);
    expect(await statementsOf(unprepared)).toEqual([]);
  });

  it.each([
    'SELECT id FROM counter WHERE id >= $1 ORDER BY id LIMIT 1',
    'SELECT id FROM counter WHERE $1::int IS NULL OR id = $1',
    "SELECT id FROM counter WHERE value::text LIKE $1::text || '%'",
  ])('are planned for their values when the best plan depends on them (%s)', async (statement) => {
    await warm(statement);
    expect(await statementsOf(prepared)).not.toContain(statement);
  });

  // red when: the statement fails with "cached plan must not change result type"
  it('succeed after a migration that changed the type of a column', async () => {
    await warm(READ);
    await changeType();
    expect(await prepared.query(READ, [1])).toEqual([{ id: 1, value: '7' }]);
    await warm(READ);
    expect(await statementsOf(prepared)).toContain(READ);
  });

  it('succeed in a transaction after such a migration: the whole work is retried once', async () => {
    const transactions = new Transactions(prepared);
    await warm(READ);
    await warm(OTHER);
    await changeType();
    let runs = 0;
    const read = await transactions.run(ctx, async (tx) => {
      runs++;
      await transactions.manager(tx).query("UPDATE counter SET value = value || '0' WHERE id = $1", [1]);
      await transactions.manager(tx).query(OTHER, [1]);
      return transactions.manager(tx).query<unknown>(READ, [1]);
    });
    expect([runs, read]).toEqual([2, [{ id: 1, value: '70' }]]);
  });

  it('are prepared up to a maximum number', async () => {
    for (let statement = 0; statement < 320; statement++) await warm(`SELECT ${statement} + $1::int`);
    const names = await statementsOf(prepared);
    expect(names.length).toBeGreaterThan(200);
    // Those of earlier tests got other names after the changes of their columns.
    expect(names.length).toBeLessThanOrEqual(310);
  });
});
