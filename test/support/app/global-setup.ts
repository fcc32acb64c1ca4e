import '../../../jest/source-aliases.cjs';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Client } from 'pg';
import { migrateDatabase } from '#infra/database/migrations/migrate';
import { createRunFolder } from './run-folder';
import { onDatabase } from './test-database';
import { startTestPostgres } from './test-postgres';

/** The steps of the global teardown, which runs in the same process. */
export type TestRun = typeof globalThis & { agateTestRunEnd?: () => Promise<void> };

/**
 * Runs before the rings that need a database. Creates a folder for the temporary files of the run (`TMPDIR`), starts one PostgreSQL for
 * the whole run (unless `AGATE_TEST_POSTGRES` is the URL of a superuser of a running one), creates a role for the application
 * (`AGATE_TEST_APPLICATION`, its URL), a migrated template database for `createTestDatabase`, and a key that signs access tokens
 * (`AGATE_TEST_SIGNING_KEY`, PEM).
 */
// eslint-disable-next-line no-restricted-exports -- Jest requires a default export
export default async function globalSetup(): Promise<void> {
  const { AGATE_TEST_POSTGRES: given, TMPDIR: usual } = process.env;
  const folder = await createRunFolder();
  const postgres = given ? await useGivenPostgres(given) : await startTestPostgres(folder);
  const template = `agate_template_${randomBytes(4).toString('hex')}`;

  const end = async () => {
    delete process.env['AGATE_TEST_TEMPLATE'];
    delete process.env['AGATE_TEST_APPLICATION'];
    if (given)
      await execute(given, [`alter database ${template} is_template false`, `drop database ${template} with (force)`]);
    else delete process.env['AGATE_TEST_POSTGRES'];
    await postgres.stop();
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
    await rm(folder, { recursive: true, force: true });
  };
  (globalThis as TestRun).agateTestRunEnd = end;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void end().finally(() => process.exit(1)));
  }

  try {
    await execute(postgres.ownerUrl, [`create database ${template}`]);
    const [ownerUrl, url] = [onDatabase(postgres.ownerUrl, template), onDatabase(postgres.url, template)];
    migrateAsLater(process.env['SCHEMA_OF'], { DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: url });
    await migrateDatabase(ownerUrl, url);
    await execute(postgres.ownerUrl, [`alter database ${template} is_template true allow_connections false`]);
  } catch (error) {
    // Jest does not call the teardown after a failed setup.
    await end();
    throw error;
  }
  process.env['TMPDIR'] = folder;
  process.env['AGATE_TEST_POSTGRES'] = postgres.ownerUrl;
  process.env['AGATE_TEST_APPLICATION'] = postgres.url;
  process.env['AGATE_TEST_TEMPLATE'] = template;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  process.env['AGATE_TEST_SIGNING_KEY'] = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/**
 * With `SCHEMA_OF`, a folder with a built later release, that release migrates the template. The tests then show whether this release
 * works on the later schema (CONTRIBUTING.md, "Releasing").
 */
function migrateAsLater(folder: string | undefined, urls: Readonly<Record<string, string>>): void {
  if (folder === undefined) return;
  const env = { PATH: process.env['PATH'], ...urls };
  execFileSync(process.execPath, ['dist/src/main.js', '--migrate-only'], { cwd: folder, env, stdio: 'inherit' });
}

/** Creates the application's role for this run. */
async function useGivenPostgres(
  ownerUrl: string,
): Promise<{ url: string; ownerUrl: string; stop: () => Promise<void> }> {
  const role = { username: `agate_app_${randomBytes(4).toString('hex')}`, password: randomBytes(12).toString('hex') };
  await execute(ownerUrl, [`create role ${role.username} login password '${role.password}'`]);
  const stop = () => execute(ownerUrl, [`drop role ${role.username}`]);
  return { url: Object.assign(new URL(ownerUrl), role).href, ownerUrl, stop };
}

async function execute(url: string, statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
