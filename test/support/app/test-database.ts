import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A database of one test file. */
export interface TestDatabase {
  /** As the role that the service runs as: what it may not do, no test does through it. */
  readonly url: string;
  /** As the owner of the schema, a superuser: to migrate, to prepare and to tamper. */
  readonly ownerUrl: string;
  /** Disconnects whoever is still there and removes it. */
  readonly drop: () => Promise<void>;
}

/** A clone of the migrated template (test/support/app/global-setup.ts), or an empty database. */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const server = process.env['AGATE_TEST_POSTGRES'];
  const application = process.env['AGATE_TEST_APPLICATION'];
  const template = process.env['AGATE_TEST_TEMPLATE'];
  if (!server || !application || !template)
    throw new Error('This ring has no PostgreSQL: see globalSetup in jest.config.js.');
  const name = `agate_test_${randomBytes(6).toString('hex')}`;
  await execute(server, `create database ${name} template ${migrated ? template : 'template0'} strategy file_copy`);
  return {
    url: onDatabase(application, name),
    ownerUrl: onDatabase(server, name),
    drop: () => execute(server, `drop database if exists ${name} with (force)`),
  };
}

/** The same login on another database. */
export const onDatabase = (url: string, name: string): string => Object.assign(new URL(url), { pathname: name }).href;

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
