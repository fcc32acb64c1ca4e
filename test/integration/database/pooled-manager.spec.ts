import { once } from 'node:events';
import { type Socket } from 'node:net';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { poolOf } from '#infra/database/pool/turn-manager';
import { PooledManager } from '#infra/fast-paths/pg/pooled-manager';
import { PreparingClient } from '#infra/fast-paths/pg/preparing-client';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';

const OWN_SESSION = 'SELECT pg_backend_pid() AS pid';

describe('PooledManager', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let pooled: PooledManager;
  beforeAll(async () => {
    database = await createTestDatabase();
    // One connection, as the owner, to create a table.
    dataSource = await new DataSource(dataSourceOptions(database.ownerUrl, 1)).initialize();
    pooled = new PooledManager(dataSource);
    await dataSource.query('CREATE TABLE counter (id int PRIMARY KEY, value int NOT NULL)');
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });
  beforeEach(async () => {
    await dataSource.query('TRUNCATE counter');
    await dataSource.query('INSERT INTO counter VALUES (1, 7), (2, 8)');
  });

  const sessionOf = async (): Promise<unknown> => (await pooled.query<[{ pid: number }]>(OWN_SESSION))[0].pid;

  // red when: an UPDATE returns only its rows
  it.each([
    ['SELECT value FROM counter WHERE id > $1 ORDER BY id', [0]],
    ['UPDATE counter SET value = 9 WHERE id <= $1 RETURNING id, value', [2]],
    ['WITH some AS (SELECT $1::int AS id) DELETE FROM counter c USING some WHERE c.id = some.id', [1]],
    ['INSERT INTO counter VALUES (3, $1) RETURNING id', [1]],
    ['SELECT count(*) FROM counter', undefined],
    ['SELECT value FROM missing WHERE id = $1', [1]],
    ['INSERT INTO counter VALUES (1, $1)', [1]],
  ])('returns and throws what TypeORM does for %s', async (statement, values) => {
    const outcomeOf = (manager: DataSource['manager']): Promise<unknown> =>
      manager.query('BEGIN').then(async () => {
        const outcome = await manager.query<unknown>(statement, values).catch((error: unknown) => error);
        await manager.query('ROLLBACK');
        return outcome;
      });
    expect(await outcomeOf(pooled)).toEqual(await outcomeOf(dataSource.manager));
  });

  // red when: the connection of a statement that failed is closed, as by pg's own `query`
  it('uses a connection again after a statement has failed', async () => {
    const session = await sessionOf();
    await expect(pooled.query('SELECT value FROM missing')).rejects.toMatchObject({ driverError: { code: '42P01' } });
    expect(await sessionOf()).toBe(session);
  });

  // red when: nothing listens to the errors of a connection, which then end the process, or a lost connection is used again
  it('opens another connection when one was lost during a statement', async () => {
    const session = await sessionOf();
    const removed = once(poolOf(dataSource), 'remove');
    poolOf(dataSource).once('acquire', (client) => {
      const { connection } = client as unknown as { connection: { stream: Socket } };
      setImmediate(() => connection.stream.destroy(new Error('The network is down')));
    });
    await expect(pooled.query('SELECT pg_sleep(5)')).rejects.toThrow('The network is down');
    await removed;
    expect(await sessionOf()).not.toBe(session);
    expect(poolOf(dataSource).totalCount).toBe(1);
  });

  it('prepares a statement that is sent often', async () => {
    // Test files that ran before in this process may have sent more frequent statements than are prepared.
    PreparingClient.names.renew();
    const read = 'SELECT value FROM counter WHERE id = $1';
    for (let time = 0; time < 5; time++) await pooled.query(read, [1]);
    const prepared = await pooled.query<unknown>('SELECT statement FROM pg_prepared_statements');
    expect(prepared).toContainEqual({ statement: read });
  });
});
