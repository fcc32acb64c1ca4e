import { once } from 'node:events';
import { Writable } from 'node:stream';
import { Pool } from 'pg';
import { DataSource, QueryFailedError } from 'typeorm';
import { loadConfig } from '#infra/config/load-config';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { unreachable } from '#infra/database/database-errors';
import { createLogger, type Logger } from '#infra/logging/logger';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';
import { takeFreePort } from '../../support/processes/free-port';

/** User input that appears nowhere else, with characters that need quoting. */
const PLANTED = 'mallory"planted: here@example.com';
const PIECES = ['mallory', 'planted', 'example.com'];

interface Line {
  readonly msg: string;
  readonly err: Readonly<Record<string, unknown>>;
}

let database: TestDatabase;
let dataSource: DataSource;
let lines: string[];
let logger: Logger;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  dataSource = await new DataSource(dataSourceOptions(database.ownerUrl, 2)).initialize();
  await dataSource.query(`
    CREATE TYPE mood AS ENUM ('well');
    CREATE TABLE person (
      id int PRIMARY KEY, email text NOT NULL CONSTRAINT uq_person_email UNIQUE,
      note varchar(60) CONSTRAINT ck_person_note CHECK (note <> 'no'), friend int CONSTRAINT fk_person_friend REFERENCES person)`);
  await dataSource.query('INSERT INTO person VALUES (1, $1)', [PLANTED]);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(() => {
  lines = [];
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()) });
  logger = createLogger(loadConfig({ NODE_ENV: 'test' }), sink);
});

const lineOf = (error: unknown): Line => {
  logger.error({ err: error }, 'request failed');
  return JSON.parse(lines.at(-1)!) as Line;
};

const failureOf = async (statement: string, parameters: unknown[] = []): Promise<unknown> => {
  const error: unknown = await dataSource.query(statement, parameters).catch((reason: unknown) => reason);
  if (!(error instanceof QueryFailedError)) throw new Error(`${statement} failed with ${String(error)}`);
  return error;
};

/** Uses real errors of the server and the driver, so that a field that this test does not know cannot leak. */
describe('the log line of a database error', () => {
  // red when: errors are logged with all their properties, as pino does by default; or the message of class 22 errors is logged
  it.each<[error: string, logged: object, statement: string, ...parameters: unknown[]]>([
    [
      'a duplicate key',
      { code: '23505', constraint: 'uq_person_email', table: 'person' },
      'INSERT INTO person VALUES (2, $1)',
      PLANTED,
    ],
    [
      'a violated check',
      { code: '23514', constraint: 'ck_person_note', table: 'person' },
      `INSERT INTO person VALUES (3, $1, 'no')`,
      `x${PLANTED}`,
    ],
    [
      'a null value',
      { code: '23502', column: 'email', table: 'person' },
      'INSERT INTO person VALUES (3, NULL, $1)',
      PLANTED,
    ],
    [
      'a violated foreign key',
      { code: '23503', constraint: 'fk_person_friend' },
      'INSERT INTO person VALUES (4, $1, NULL, 99)',
      `y${PLANTED}`,
    ],
    ['an invalid uuid', { code: '22P02', routine: 'string_to_uuid' }, 'SELECT $1::uuid', PLANTED],
    ['an invalid number', { code: '22P02' }, 'SELECT $1::int', PLANTED],
    ['an invalid date', { code: '22007' }, 'SELECT $1::timestamptz', PLANTED],
    ['invalid JSON', { code: '22P02' }, 'SELECT $1::jsonb', `{${PLANTED}`],
    ['an invalid array', { code: '22P02' }, 'SELECT $1::int[]', PLANTED],
    ['an invalid enum value', { code: '22P02' }, 'SELECT $1::mood', PLANTED],
    ['an invalid time zone', { code: '22023' }, 'SELECT now() AT TIME ZONE $1', PLANTED],
    ['a text that is too long', { code: '22001' }, 'INSERT INTO person VALUES (3, $1, repeat($1, 9))', PLANTED],
    [
      'an exception of a function',
      { code: 'P0001' },
      `DO $$ BEGIN RAISE EXCEPTION 'for ${PLANTED}' USING DETAIL = '${PLANTED}', HINT = '${PLANTED}'; END $$`,
    ],
    ['a literal in a statement', { code: '42P01' }, `SELECT '${PLANTED}', E'it''s ${PLANTED}' FROM missing_table`],
  ])('contains no user input: %s', async (...[, logged, statement, ...parameters]) => {
    const { msg, err } = lineOf(await failureOf(statement, parameters));
    expect({ msg, err }).toMatchObject({ msg: 'request failed', err: { type: 'QueryFailedError', ...logged } });
    expect(err['query']).toEqual(expect.stringMatching(/^(INSERT INTO person|SELECT|DO) /));
    expect(err['stack']).toContain('error-log.spec');
    expect(err['message']).toEqual(expect.stringMatching(/\w/));
    expect(PIECES.filter((piece) => lines.join().includes(piece))).toEqual([]);
  });

  it('contains the message when that names tables and columns only', async () => {
    expect(lineOf(await failureOf('SELECT missing FROM person')).err).toMatchObject({
      code: '42703',
      message: 'column "missing" does not exist',
      query: 'SELECT missing FROM person',
    });
  });

  it('contains the cause of an AppError', async () => {
    const { err } = lineOf(unreachable(await failureOf('SELECT $1::uuid', [PLANTED])));
    expect(err).toMatchObject({ type: 'AppError', cause: { type: 'QueryFailedError', code: '22P02' } });
    expect(PIECES.filter((piece) => lines.join().includes(piece))).toEqual([]);
  });

  // red when: the error of a pool is logged with its `client` property
  it('contains no connection when a pool lost one', async () => {
    const pool = new Pool({ connectionString: database.ownerUrl, application_name: 'planted' });
    const lost = once(pool, 'error');
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid, $1::text', [PLANTED]);
    await dataSource.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
    const [error] = (await lost) as [Error & { client?: unknown }];
    expect(error.client).toBeDefined();
    const { err } = lineOf(error);
    expect(err).toMatchObject({ code: '57P01', message: 'terminating connection due to administrator command' });
    expect(lines.join()).not.toContain(new URL(database.ownerUrl).pathname.slice(1));
    expect(PIECES.filter((piece) => lines.join().includes(piece))).toEqual([]);
    await pool.end();
  });

  it('contains no credentials when the server refuses connections', async () => {
    const port = await takeFreePort();
    const pool = new Pool({ connectionString: `postgres://agate:planted@127.0.0.1:${port}/mallory` });
    const { err } = lineOf(await pool.connect().catch((reason: unknown) => reason));
    expect(err).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect' });
    expect(PIECES.filter((piece) => lines.join().includes(piece))).toEqual([]);
    await pool.end();
  });
});
