import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** The database of one test file. */
export interface TestDatabase {
  /** Connects as the application's role, which limits tests to its privileges. */
  readonly url: string;
  /** Connects as the owner of the schema, a superuser, to migrate, prepare and tamper. */
  readonly ownerUrl: string;
  /** Disconnects all clients and drops the database. */
  readonly drop: () => Promise<void>;
}

/** A clone of the migrated template (test/support/app/global-setup.ts), or an empty database. */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const server = process.env['AGATE_TEST_POSTGRES'];
  const application = process.env['AGATE_TEST_APPLICATION'];
  const template = process.env['AGATE_TEST_TEMPLATE'];
  if (!server || !application || !template)
    throw new Error('This ring has no PostgreSQL. Add globalSetup to it in jest.config.js.');
  const name = `agate_test_${randomBytes(6).toString('hex')}`;
  await execute(server, `create database ${name} template ${migrated ? template : 'template0'} strategy file_copy`);
  return {
    url: onDatabase(application, name),
    ownerUrl: onDatabase(server, name),
    drop: () => execute(server, `drop database if exists ${name} with (force)`),
  };
}

/** The URL with another database name. */
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
