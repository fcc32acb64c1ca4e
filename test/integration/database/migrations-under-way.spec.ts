import { Client } from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { migrationDataSourceOptions } from '#infra/database/data-source-options';
import { migrateDatabase, runPending } from '#infra/database/migrations/migrate';
import { lockWaiters } from '../../support/app/lock-waiters';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';
import { until } from '../../support/until';

/** An ordinary migration, which needs an exclusive lock on the table for a moment. */
class AddZone1900000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE zone (id uuid)');
    await runner.query('ALTER TABLE tester ADD COLUMN zone_id uuid');
  }

  async down(): Promise<void> {}
}

class IndexZone1900000000002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_tester_zone');
    await runner.query('CREATE INDEX CONCURRENTLY ix_tester_zone ON tester (zone_id)');
  }

  async down(): Promise<void> {}
}

/** The previous release keeps serving while this one migrates. */
describe('migrateDatabase', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let runner: QueryRunner;
  let clients: Client[];
  /** Reads outside a transaction, because pg_stat_activity does not change within one. */
  let watcher: Client;
  beforeEach(async () => {
    database = await createTestDatabase();
    clients = [];
    const options = { ...migrationDataSourceOptions(database.ownerUrl, 2), applicationName: 'migrator' };
    dataSource = await new DataSource({
      ...options,
      migrations: [AddZone1900000000001, IndexZone1900000000002],
    }).initialize();
    runner = dataSource.createQueryRunner();
    watcher = await connect();
  });
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await runner.release();
    await dataSource.destroy();
    await database.drop();
  });

  /** A client with timeouts, so that a fault fails the test instead of hanging it. */
  const connect = async (url = database.ownerUrl): Promise<Client> => {
    const client = new Client({ connectionString: url, lock_timeout: 60_000 });
    await client.connect();
    clients.push(client);
    return client;
  };

  /** A client with a long transaction, such as a backup's. */
  const longReader = async (): Promise<Client> => {
    const reader = await connect();
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM tester');
    return reader;
  };

  const exists = (rowsWhere: string) => async (): Promise<boolean> => {
    const { rows } = await watcher.query<{ is: boolean }>(`SELECT EXISTS (SELECT FROM ${rowsWhere}) AS is`);
    return rows[0]!.is;
  };

  // red when: the migration waits for a table without limit (lock_timeout = 0), or fails immediately
  it('lets other queries run while a long transaction locks the table, and succeeds afterwards', async () => {
    const lines: string[] = [];
    const reader = await longReader();
    const client = await connect(database.url);
    const migrating = runPending(dataSource, runner, (line) => lines.push(line));
    await until(exists(`${lockWaiters('tester')} AND mode = 'AccessExclusiveLock'`));

    await client.query('SELECT count(*) FROM tester');
    await until(
      exists(
        `pg_stat_activity WHERE datname = current_database() AND application_name = 'migrator' AND query = 'ROLLBACK'`,
      ),
    );
    await until(() => lines.length > 0);
    expect(lines).toEqual([expect.stringContaining('ALTER TABLE tester')]);

    await reader.query('COMMIT');
    expect(await migrating).toBe(2);
    const { rows } = await client.query(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = 'ix_tester_zone'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  // red when: `transaction = false` is ignored, or such a migration has the short lock_timeout
  it('builds an index without a time limit, also over the invalid index of an interrupted attempt', async () => {
    const reader = await connect();
    await reader.query('ALTER TABLE tester ADD COLUMN zone_id uuid');
    await reader.query(`INSERT INTO migration (timestamp, name) VALUES (1900000000001, 'AddZone1900000000001')`);
    await reader.query('CREATE INDEX ix_tester_zone ON tester (zone_id)');
    await reader.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'ix_tester_zone'::regclass`);
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await reader.query('SELECT 1');

    const lines: string[] = [];
    const migrating = runPending(dataSource, runner, (line) => lines.push(line));
    const waits = `pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database()
      AND locktype = 'virtualxid' AND NOT granted AND waitstart < clock_timestamp() - interval '2 s'`;
    await Promise.race([until(exists(waits)), migrating]);
    await watcher.query(`INSERT INTO captcha_solution VALUES ('x', now())`);
    await reader.query('COMMIT');
    expect(await migrating).toBe(1);
    expect(lines).toEqual([]);
    const { rows } = await watcher.query(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = 'ix_tester_zone'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  // red when: the second process waits with pg_advisory_lock
  it('does not block CREATE INDEX CONCURRENTLY while it waits for the migration lock', async () => {
    const first = await connect();
    await first.query('SELECT pg_advisory_lock(727274)');
    const second = migrateDatabase(database.ownerUrl, database.url);
    await until(exists(`pg_stat_activity WHERE application_name = 'agate' AND query LIKE '%advisory_lock%'`));

    const builder = await connect();
    await builder.query('CREATE INDEX CONCURRENTLY ix_tester_name ON tester (name)');
    await first.query('SELECT pg_advisory_unlock(727274)');
    expect(await second).toBe(0);
  });
});
