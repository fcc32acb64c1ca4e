import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { type ErrorCase } from '#kernel/errors/catalogue';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { databaseErrorToAppError, isDatabaseUnavailable, violatedConstraint } from '#infra/database/database-errors';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';
import { takeFreePort } from '../../support/processes/free-port';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.ownerUrl, 2)).initialize();
  await dataSource.query(`
    CREATE TABLE owner_of_things (id int PRIMARY KEY);
    CREATE TABLE thing (
      id int PRIMARY KEY, owner_id int NOT NULL REFERENCES owner_of_things, name varchar(5) NOT NULL CHECK (name <> ''),
      CONSTRAINT uq_thing UNIQUE (owner_id, name));
    INSERT INTO owner_of_things VALUES (1);
    INSERT INTO thing VALUES (1, 1, 'one')`);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const failureOf = async (statement: string, parameters: unknown[] = []): Promise<unknown> => {
  try {
    await dataSource.query(statement, parameters);
  } catch (error) {
    return error;
  }
  throw new Error(`${statement} did not fail`);
};

/** Uses errors of a real server, so that the mapping cannot drift from PostgreSQL's messages. */
describe('databaseErrorToAppError', () => {
  // red when: a code is removed from the mapping
  it.each<[string, ErrorCase, string, ...string[]]>([
    ['a unique key twice', 'already_exists', `INSERT INTO thing VALUES (2, 1, 'one')`],
    ['a row that others point at', 'dependency_exists', 'DELETE FROM owner_of_things'],
    ['a row that points at nothing', 'not_found', `INSERT INTO thing VALUES (2, 9, 'two')`],
    ['a check', 'validation_error', `INSERT INTO thing VALUES (2, 1, '')`],
    ['a null', 'validation_error', `INSERT INTO thing VALUES (2, 1, NULL)`],
    ['too long a text', 'validation_error', `INSERT INTO thing VALUES (2, 1, 'too long')`],
    ['a number that does not fit', 'validation_error', 'SELECT $1::int', '99999999999'],
    ['no number', 'validation_error', 'SELECT $1::int', 'one'],
    ['no uuid', 'validation_error', 'SELECT $1::uuid', 'one'],
    ['U+0000 in a text', 'validation_error', 'SELECT $1::text', 'a\u0000b'],
    ['U+0000 in JSON', 'validation_error', `SELECT $1::jsonb`, '"\\u0000"'],
    ['no date', 'validation_error', 'SELECT $1::timestamptz', 'soon'],
    ['no such day', 'validation_error', 'SELECT $1::timestamptz', '2026-02-31'],
    ['a statement timeout', 'storage_backend_unavailable', `SET statement_timeout = 20; SELECT pg_sleep(5)`],
    ['a session that was ended', 'storage_backend_unavailable', 'SELECT pg_terminate_backend(pg_backend_pid())'],
  ])('maps %s to %s', async (...[, errorCase, statement, ...parameters]) => {
    const error = await failureOf(statement, parameters);
    expect(databaseErrorToAppError(error)).toMatchObject({ errorCase });
  });

  // red when: a code is removed from TOO_SLOW, or a class from `isDatabaseUnavailable`
  it.each<[string, ErrorCase | null]>([
    ['40001', 'storage_backend_unavailable'],
    ['40P01', 'storage_backend_unavailable'],
    ['55P03', 'storage_backend_unavailable'],
    ['53300', 'storage_backend_unavailable'],
    ['53100', 'storage_backend_unavailable'],
    ['53200', 'storage_backend_unavailable'],
    ['25P03', 'storage_backend_unavailable'],
    ['25006', 'storage_backend_unavailable'],
    ['53000', 'storage_backend_unavailable'],
    ['53400', 'storage_backend_unavailable'],
    ['57P01', 'storage_backend_unavailable'],
    ['57P02', 'storage_backend_unavailable'],
    ['57P03', 'storage_backend_unavailable'],
    ['57P05', 'storage_backend_unavailable'],
    ['08000', 'storage_backend_unavailable'],
    ['08001', 'storage_backend_unavailable'],
    ['08003', 'storage_backend_unavailable'],
    ['08004', 'storage_backend_unavailable'],
    ['08006', 'storage_backend_unavailable'],
    ['42601', null],
    ['42501', null],
    ['XX000', null],
  ])('maps SQLSTATE %s to %s', async (sqlState, errorCase) => {
    const error = await failureOf(`DO $$ BEGIN RAISE EXCEPTION 'forced' USING ERRCODE = '${sqlState}'; END $$`);
    expect(databaseErrorToAppError(error)?.errorCase ?? null).toBe(errorCase);
  });

  // red when: a timeout is reported as an unreachable database, or stops a job that works through many ids
  it.each([
    ['40P01', 'did not respond in time', false],
    ['55P03', 'did not respond in time', false],
    ['57014', 'did not respond in time', false],
    ['25006', 'is unavailable', true],
    ['53300', 'is unavailable', true],
    ['57P01', 'is unavailable', true],
  ])('SQLSTATE %s: the message says that the database %s', async (sqlState, words, isUnavailable) => {
    const error = await failureOf(`DO $$ BEGIN RAISE EXCEPTION 'forced' USING ERRCODE = '${sqlState}'; END $$`);
    expect(databaseErrorToAppError(error)?.message).toContain(words);
    expect(isDatabaseUnavailable(error)).toBe(isUnavailable);
  });

  it('names the column for the client and the violated constraint for the code', async () => {
    const twice = await failureOf(`INSERT INTO thing VALUES (2, 1, 'one')`);
    expect(databaseErrorToAppError(twice)?.message).toContain('name');
    expect(violatedConstraint(twice)).toBe('uq_thing');
    expect(databaseErrorToAppError(await failureOf('DELETE FROM owner_of_things'))?.message).toContain('thing');
  });

  it('responds 503 with Retry-After when the server does not listen', async () => {
    const port = await takeFreePort();
    const nobody = new DataSource(dataSourceOptions(`postgres://agate@127.0.0.1:${port}/agate`, 1));
    const error: unknown = await nobody.initialize().catch((reason: unknown) => reason);
    const answer = databaseErrorToAppError(error);
    expect(answer?.entry).toMatchObject({ status: 503, code: 'storage_backend_unavailable' });
    expect(answer?.retryAfterSeconds).toBeGreaterThanOrEqual(1);
  });

  it('responds 503 when the pool has no free connection in time', async () => {
    const hold = [1, 2].map(() => dataSource.createQueryRunner());
    try {
      await Promise.all(hold.map((runner) => runner.connect()));
      expect(databaseErrorToAppError(await failureOf('SELECT 1'))?.errorCase).toBe('storage_backend_unavailable');
    } finally {
      await Promise.all(hold.map((runner) => runner.release()));
    }
  });

  // red when: `isDatabaseUnavailable` does not know the message (500)
  it('responds 503 to a statement for a connection whose session has ended', async () => {
    const connection = new Client({ connectionString: database.ownerUrl });
    await connection.connect();
    const lost = new Promise((resolve) => connection.once('error', resolve));
    await expect(connection.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
    await lost;
    const error: unknown = await connection.query('SELECT 1').catch((reason: unknown) => reason);
    expect(databaseErrorToAppError(error)?.errorCase).toBe('storage_backend_unavailable');
  });

  it('returns null for other errors', () => {
    for (const thrown of [new Error('bug'), null, 'text', { code: '23505' }]) {
      expect(databaseErrorToAppError(thrown)).toBeNull();
    }
  });
});
