import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';

describe('test databases', () => {
  const databases: TestDatabase[] = [];
  const create = async () => {
    const database = await createTestDatabase();
    databases.push(database);
    return database;
  };
  afterEach(() => Promise.all(databases.splice(0).map((database) => database.drop())));

  const ask = async (url: string, sql: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    return client.query(sql).finally(() => client.end());
  };

  it('are migrated', async () => {
    const { url } = await create();
    const { rows } = await ask(url, 'select count(*)::int as migrations from migration');
    expect(rows[0]).toEqual({ migrations: (await readdir(path.join(__dirname, '../../../migrations'))).length });
  });

  it('are isolated from each other when they are cloned concurrently', async () => {
    const [one, two] = await Promise.all([create(), create()]);
    await ask(one.ownerUrl, 'create table only_here ()');
    await expect(ask(two.ownerUrl, 'select from only_here')).rejects.toMatchObject({ code: '42P01' });
  });

  it('are dropped even while a client is connected', async () => {
    const { url, drop } = await create();
    const lingering = new Client({ connectionString: url });
    const closed = new Promise((resolve) => lingering.on('error', () => undefined).once('end', resolve));
    await lingering.connect();
    await drop();
    await closed;
    await expect(ask(url, 'select 1')).rejects.toMatchObject({ code: '3D000' });
  });
});
