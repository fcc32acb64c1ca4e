import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { loadConfig } from '#infra/config/load-config';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';
import { takeFreePort } from '../../support/processes/free-port';
import { type ConsoleRun, operator } from '../../support/processes/operator-console';
import { ServerProcess } from '../../support/processes/server-process';
import { type CountingSmtp, startCountingSmtp } from '../../support/servers/counting-smtp';
import { S3Server } from '../../support/servers/stores/s3-server';

jest.setTimeout(180_000);

const COMPOSE = join(__dirname, '../../../docker/compose.yaml');

/** Runs the command as a process, and the service with the files that it wrote. */
describe('the setup command', () => {
  let folder: string;
  let file: string;
  let database: TestDatabase;
  let smtp: CountingSmtp;
  let s3: S3Server;
  beforeAll(async () => {
    [database, smtp, s3] = await Promise.all([
      createTestDatabase({ migrated: false }),
      startCountingSmtp(),
      S3Server.start(),
    ]);
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agate-setup-'));
    file = join(folder, '.env');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  afterAll(async () => {
    await Promise.all([database.drop(), smtp.stop(), s3.stop()]);
  });

  const setup = (...words: readonly string[]): Promise<ConsoleRun> =>
    operator({ dataDirectory: join(folder, 'data') }, 'setup', '--yes', '--file', file, ...words);
  const values = () => parseEnv(readFileSync(file, 'utf8')) as Record<string, string>;
  const bucketFlags = (): string[] => {
    const { endpoint = '', region, bucket, accessKeyId, secretAccessKey } = s3.bucket();
    return ['--storage', 's3', '--s3-endpoint', endpoint, '--s3-region', region, '--s3-bucket', bucket].concat([
      '--s3-access-key-id',
      accessKeyId,
      '--s3-secret-access-key',
      secretAccessKey,
    ]);
  };

  // red when: production requires a variable that setup does not write
  it('writes a file with which the service starts in production', async () => {
    const port = await takeFreePort();
    const run = await setup(
      ...['--base-url', 'https://agate.example.com', '--port', String(port)],
      ...['--database-url', database.url, '--database-owner-url', database.ownerUrl],
      ...['--mail-url', smtp.url, '--sign-up', 'example.com', '--billing', 'off'],
      ...bucketFlags(),
    );
    expect([run.status, run.err]).toEqual([0, expect.not.stringContaining('FAILED')]);
    expect(run.out).toContain('scripts/start.mjs');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const secret of ['MASTER_KEYS', 'PASSWORD_PEPPER', 'S3_SECRET_ACCESS_KEY'])
      expect(run.out + run.err).not.toContain(values()[secret]);

    // The limits of the test process are off, which production rejects.
    const server = await ServerProcess.start({ dataDirectory: '' }, { ...values(), RATE_LIMIT_FACTOR: '1' });
    try {
      const ready = await fetch(`http://127.0.0.1:${port}/api/v1/ready`);
      expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ok' }]);
      expect(server.lines.join('\n')).not.toContain('no payment provider');
    } finally {
      expect(await server.stop()).toEqual({ code: 0, signal: null });
    }
    // red when: the start does not compare billing with the payment provider
    const metered = await ServerProcess.start(
      { dataDirectory: '' },
      { ...values(), RATE_LIMIT_FACTOR: '1', BILLING: 'metered' },
    );
    await metered.stop();
    expect(metered.lines.filter((line) => line.includes('no payment provider'))).toHaveLength(1);
  });

  // red when: compose.yaml requires a variable that setup does not write
  it('writes every variable that docker compose requires, and files for its secrets', async () => {
    expect((await setup('--base-url', 'https://agate.example.com', '--mail-url', smtp.url)).status).toBe(0);
    const given = values();
    const text = readFileSync(COMPOSE, 'utf8');
    const required = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name));
    expect(required.size).toBeGreaterThan(8);
    expect([...required].filter((name) => !given[name])).toEqual([]);

    const filled = text.replace(
      /\$\{(\w+)(?::-([^}]*))?[^}]*\}/g,
      (_, name: string, fallback: string | undefined) => given[name] || (fallback ?? ''),
    );
    const compose = load(filled, { schema: YAML11_SCHEMA }) as {
      services: Record<string, { environment?: Record<string, string> }>;
      secrets: Record<string, { file: string }>;
    };
    for (const { file: path } of Object.values(compose.secrets)) expect([path, existsSync(path)]).toEqual([path, true]);
    const identities = readFileSync(compose.secrets['store_identities']!.file, 'utf8');
    const { environment = {} } = compose.services['api-1']!;
    for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) expect(identities).toContain(environment[name]);
    loadConfig(environment, { needsSecrets: true });
    expect(environment).toMatchObject({ BASE_URL: 'https://agate.example.com', BILLING: 'off' });
  });

  it('checks the given values, and writes nothing when a check fails', async () => {
    const unused = await takeFreePort();
    const wrongStore = [...bucketFlags().slice(0, -1), 'another-secret'];
    const run = await setup(
      ...['--database-url', `postgres://agate@127.0.0.1:${unused}/agate`, '--mail-url', `smtp://127.0.0.1:${unused}`],
      ...wrongStore,
    );
    expect(run.status).toBe(1);
    expect(run.err).toMatch(/FAILED +database: .*cannot be reached/);
    expect(run.err).toMatch(/FAILED +mail: /);
    expect(run.err).toMatch(/FAILED +storage: /);
    expect(run.err).toContain('was not written');
    expect(existsSync(file)).toBe(false);
    expect((await setup('--mail-url', `smtp://127.0.0.1:${unused}`, '--ignore-failures')).status).toBe(0);
  });

  // red when: setup writes whole objects only
  it('rejects a store without ListParts, in a plain sentence', async () => {
    s3.supportsListParts = false;
    try {
      const run = await setup(...bucketFlags());
      expect(run.status).toBe(1);
      expect(run.err).toMatch(/FAILED +storage: The store cannot list the parts of an upload \(S3: ListParts/);
      expect(run.err).not.toMatch(/MethodNotAllowed|\bat /);
    } finally {
      s3.supportsListParts = true;
    }
  });

  // red when: the signed URL is that of the store, or the CDN's response is not compared
  it('rejects a CDN that serves without a signature or sends no headers, in a plain sentence', async () => {
    const flags = bucketFlags();
    const bucket = `${s3.url}/${flags[7]}`;
    let [isVerifying, hasHeaders] = [false, true];
    const serve: RequestListener = (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://edge');
      if (isVerifying && !searchParams.has('signature')) return void response.writeHead(403).end();
      const headers = hasHeaders ? { 'content-disposition': searchParams.get('disposition') ?? '' } : {};
      void fetch(bucket + pathname)
        .then((found) => found.arrayBuffer())
        .then((bytes) => response.writeHead(200, headers).end(Buffer.from(bytes)))
        .catch(() => response.destroy());
    };
    const edge = createServer(serve);
    await new Promise<void>((resolve) => edge.listen(0, '127.0.0.1', resolve));
    s3.allowsAnonymousReads = true;
    const cdn = {
      DOWNLOAD_CDN: 'template',
      DOWNLOAD_CDN_URL: `http://127.0.0.1:${(edge.address() as AddressInfo).port}`,
      DOWNLOAD_CDN_KEY: randomBytes(32).toString('hex'),
      DOWNLOAD_CDN_TEMPLATE: '{key}?disposition={content_disposition}&expires={expires}&signature={hmac}',
    };
    const former = Object.entries(cdn).map(([name, value]) => `${name}='${value}'\n`);
    writeFileSync(file, former.join(''));
    const check = (): Promise<ConsoleRun> => setup('--overwrite', ...flags);
    try {
      expect((await check()).err).toMatch(/FAILED +storage: The CDN returns the object without a signature\./);
      [isVerifying, hasHeaders] = [true, false];
      expect((await check()).err).toMatch(/FAILED +storage: The CDN sends no Content-Disposition\./);
      hasHeaders = true;
      const run = await check();
      expect([run.status, run.err]).toEqual([0, expect.not.stringContaining('FAILED')]);
      expect(values()).toMatchObject(cdn);
    } finally {
      s3.allowsAnonymousReads = false;
      edge.close();
    }
  });

  it('lists its flags with --help', async () => {
    expect((await operator({ dataDirectory: folder }, 'setup', '--help')).out).toContain('--base-url');
  });
});
