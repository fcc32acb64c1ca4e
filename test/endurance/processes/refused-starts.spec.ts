import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { HostedStoreIdentityService } from '#modules/storage';
import { TestApp } from '../../support/app/test-app';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';
import { ServerProcess } from '../../support/processes/server-process';
import { onS3 } from '../../support/servers/stores/cloud-places';

jest.setTimeout(120_000);

const LINUX = { platform: 'linux', version: '1.0' };

/** Tests the output of the process. Each variable is tested in src/infra/crypto/secrets.spec.ts. */
describe('a start with an invalid configuration', () => {
  let database: TestDatabase;
  let dataDirectory: string;
  beforeAll(async () => {
    database = await createTestDatabase({ migrated: false });
    dataDirectory = await mkdtemp(join(tmpdir(), 'agate-test-'));
  });
  afterAll(async () => {
    await database.drop();
    await rm(dataDirectory, { recursive: true });
  });

  const tables = async (): Promise<number | null> => {
    const client = new Client({ connectionString: database.ownerUrl });
    await client.connect();
    try {
      return (await client.query(`SELECT FROM pg_tables WHERE schemaname IN ('public', 'graphile_worker')`)).rowCount;
    } finally {
      await client.end();
    }
  };

  // red when: the key is read when the store is opened, after the migrations
  it('names a key that the CDN does not accept, and does not touch the database', async () => {
    const store = { STORAGE_PROVIDER: 's3', S3_BUCKET: 'agate', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'a' };
    const cdn = { DOWNLOAD_CDN: 'cloudfront', DOWNLOAD_CDN_URL: 'https://cdn.example', DOWNLOAD_CDN_KEY_ID: 'K1' };
    const server = await ServerProcess.launch(
      { dataDirectory, database },
      { ...store, ...cdn, DOWNLOAD_CDN_KEY: 'no private key' },
    );
    expect(await server.ended).toEqual({ code: 1, signal: null });
    const output = server.lines.join('\n');
    expect(output).toContain('DOWNLOAD_CDN_KEY: the private key in PEM is malformed.');
    expect(output).not.toMatch(/^\s+at |no private key/m);
    expect(await tables()).toBe(0);
  });

  // red when: the secrets are read after the migrations, or the error is printed with its stack or a value
  it.each([
    ['CAPTCHA_PROVIDER', {}],
    ['SIGN_UP', { CAPTCHA_PROVIDER: 'none' }],
    ['JWT_PRIVATE_KEYS_FILE', { CAPTCHA_PROVIDER: 'none', SIGN_UP: 'closed' }],
    [
      'BASE_URL',
      {
        CAPTCHA_PROVIDER: 'none',
        SIGN_UP: 'closed',
        JWT_PRIVATE_KEYS_FILE: 'some.pem',
        BASE_URL: 'http://agate.example',
      },
    ],
  ])('names the missing variable %s, prints no secret and does not touch the database', async (name, more) => {
    const pepper = randomBytes(32).toString('base64');
    const masterKey = randomBytes(32).toString('base64');
    const server = await ServerProcess.launch(
      { dataDirectory, database },
      {
        NODE_ENV: 'production',
        RATE_LIMIT_FACTOR: '1',
        BASE_URL: 'https://agate.example',
        PASSWORD_PEPPER: pepper,
        MASTER_KEYS: `k1:${masterKey}`,
        ...more,
      },
    );
    expect(await server.ended).toEqual({ code: 1, signal: null });
    const output = server.lines.join('\n');
    expect(output).toContain(`${name}: `);
    expect(output).not.toMatch(/^\s+at /m);
    for (const secret of [pepper, masterKey, database.url, database.ownerUrl]) expect(output).not.toContain(secret);
    expect(await tables()).toBe(0);
  });

  // red when: the first connection is opened by a component that reports its failure with a stack
  it.each<[message: RegExp, change: (url: URL) => void, more: object]>([
    [/^DATABASE_URL: .*reached/m, (url) => (url.host = 'db.invalid:5432'), {}],
    [/^DATABASE_URL: .*reached \(ECONNREFUSED\)/m, (url) => (url.port = '1'), { MIGRATE_ON_START: 'false' }],
    [/^DATABASE_URL: .*does not exist \(3D000\)/m, (url) => (url.pathname = '/nowhere'), {}],
  ])('reports an unusable database as %s', async (message, change, more) => {
    const url = new URL(database.url);
    change(url);
    const server = await ServerProcess.launch({ dataDirectory }, { DATABASE_URL: url.href, ...more });
    expect(await server.ended).toEqual({ code: 1, signal: null });
    const output = server.lines.join('\n');
    expect(output).toMatch(message);
    expect(output).not.toMatch(/^\s+at /m);
    expect(output).not.toContain(url.href);
  });

  // red when: a start does not compare the store with the one of the builds, whose downloads then fail
  it('is rejected with another store than the one of the builds, unless STORAGE_MOVED says that they were moved', async () => {
    const app = await TestApp.start();
    const bucket = await onS3();
    try {
      await app.nest.get(HostedStoreIdentityService).confirm(app.systemContext);
      const ann = await app.developer();
      const project = await ann.createsProject(await ann.createsOrganization());
      await ann.uploads(project, { bytes: Buffer.from('#!/bin/sh'), fileName: 'agate.sh' }, LINUX);
      const rejected = await ServerProcess.launch(app, bucket.environment);
      expect(await rejected.ended).toEqual({ code: 1, signal: null });
      const output = rejected.lines.join('\n');
      expect(output).toMatch(/^STORAGE_PROVIDER: .* are in local, but .*STORAGE_MOVED=true/m);
      expect(output).not.toMatch(/^\s+at /m);
      const accepted = await ServerProcess.start(app, { ...bucket.environment, STORAGE_MOVED: 'true' });
      await accepted.kill();
    } finally {
      await app.stop();
      await bucket.proxy.stop();
    }
  });
});
