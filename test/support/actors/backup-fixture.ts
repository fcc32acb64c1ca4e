import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { lockWaiters } from '../app/lock-waiters';
import { createTestDatabase, type TestDatabase } from '../app/test-database';
import { type ConsoleRun, operator, startOperator } from '../processes/operator-console';
import { type Place } from '../processes/server-process';
import { until } from '../until';
import { type BuildJson, type Developer, type ProjectRef, scope } from './actors';

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A data directory and a database without content, as on a new machine. */
export interface EmptyPlace extends Place {
  readonly dataDirectory: string;
  /** Absent for the embedded PostgreSQL. */
  readonly database?: TestDatabase;
  readonly remove: () => Promise<void>;
}

/** An empty place with a database on the test server (its owner is not a superuser), or for the embedded PostgreSQL. */
export async function emptyPlace({ embedded = false } = {}): Promise<EmptyPlace> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'agate-restored-'));
  const database = embedded ? undefined : await ownedByPlainRole(await createTestDatabase({ migrated: false }));
  const remove = async (): Promise<void> => {
    await database?.drop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  return { dataDirectory, ...(database && { database }), remove };
}

/** Gives the database to a role without other rights, as hosting providers do. */
async function ownedByPlainRole(database: TestDatabase): Promise<TestDatabase> {
  const url = new URL(database.ownerUrl);
  const owner = `owner_${randomBytes(6).toString('hex')}`;
  const server = process.env['AGATE_TEST_POSTGRES'] ?? '';
  await execute(server, `CREATE ROLE ${owner} LOGIN PASSWORD 'only-for-tests'`);
  await execute(server, `ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${owner}`);
  return {
    url: database.url,
    ownerUrl: Object.assign(url, { username: owner, password: 'only-for-tests' }).href,
    drop: async () => {
      await database.drop();
      await execute(server, `DROP ROLE ${owner}`);
    },
  };
}

async function execute(connectionString: string, statement: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** Copies the keys, which a backup does not contain. */
export const copyKeys = (from: Place, to: Place): Promise<void> =>
  cp(join(from.dataDirectory, 'keys'), join(to.dataDirectory, 'keys'), { recursive: true, force: true });

/** Runs an operator command with --json and returns its result. Throws when it fails. */
export async function commands<Result = Record<string, unknown>>(
  place: Place,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const run = await startOperator(place, [...words, '--json'], environment).done;
  if (run.status !== 0) throw new Error(`${words.join(' ')} ended with ${run.status}: ${run.out}${run.err}`);
  return JSON.parse(run.out) as Result;
}

/** Runs an operator command that must fail, and returns the error text. */
export async function refuses(place: Place, ...words: readonly string[]): Promise<string> {
  const run: ConsoleRun = await operator(place, ...words);
  expect(run).toMatchObject({ status: 1, out: '' });
  return run.err;
}

/** Downloads a build as a member. @returns the SHA-256 of the response body. */
export async function downloaded(ann: Developer, project: ProjectRef, build: Pick<BuildJson, 'id'>): Promise<string> {
  const { body } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
  const response = await fetch(ann.url + new URL((body as { url: string }).url).pathname);
  expect(response.status).toBe(200);
  return sha256(Buffer.from(await response.arrayBuffer()));
}

/** Runs `work` while the dump of a database waits for a table lock, after it has taken its snapshot. */
export async function afterSnapshot(database: { readonly ownerUrl: string }, work: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    await client.query('BEGIN; LOCK TABLE captcha_solution IN ACCESS EXCLUSIVE MODE');
    const isWaiting = async (): Promise<boolean> => {
      const { rowCount } = await client.query(`SELECT FROM ${lockWaiters('captcha_solution')}`);
      return rowCount !== 0;
    };
    await until(isWaiting);
    await work();
  } finally {
    await client.end();
  }
}

/** One hash per table over all its rows. Two databases with the same content have the same hashes. */
export async function contentOf(
  database: { readonly ownerUrl: string },
  without: readonly string[] = [],
): Promise<Record<string, string>> {
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
         AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> ALL ($1) ORDER BY 1`,
      [without],
    );
    const content: Record<string, string> = {};
    for (const { name } of rows) {
      const { rows: hashes } = await client.query<{ hash: string }>(
        `SELECT count(*) || ':' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C")), '') AS hash FROM "${name}" AS t`,
      );
      content[name] = hashes[0]!.hash;
    }
    return content;
  } finally {
    await client.end();
  }
}

/** All user triggers, and whether each is enabled. */
export async function triggersOf(database: { readonly ownerUrl: string }): Promise<string[]> {
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ trigger: string }>(
      `SELECT DISTINCT format('%s.%s %s', regexp_replace(c.relname, '_\\d{4}_\\d\\d$', '_month'), t.tgname, t.tgenabled) AS trigger
       FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal ORDER BY 1`,
    );
    return rows.map(({ trigger }) => trigger);
  } finally {
    await client.end();
  }
}
