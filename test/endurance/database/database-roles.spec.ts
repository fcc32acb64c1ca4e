import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import supertest from 'supertest';
import { startEmbeddedPostgres } from '#infra/database/embedded/embedded-postgres';
import { readPostmaster } from '#infra/database/embedded/postmaster';
import { migrateDatabase } from '#infra/database/migrations/migrate';
import { Bearer, Developer } from '../../support/actors/actors';
import { Mailbox } from '../../support/app/mailbox';
import { onDatabase } from '../../support/app/test-database';
import { apk } from '../../support/artifacts/valid-artifacts';
import { operator, startOperator } from '../../support/processes/operator-console';
import { type Place, ServerProcess } from '../../support/processes/server-process';

jest.setTimeout(180_000);

const FILE = { bytes: apk(), fileName: 'Demo.apk' };

/** The set-up of docs/operations.md: two roles that can log in, neither a superuser. */
describe('two database roles', () => {
  const superuser = (): string => process.env['AGATE_TEST_POSTGRES']!;
  const suffix = randomBytes(4).toString('hex');
  const [owner, application, name] = [`agate_owner_${suffix}`, `agate_service_${suffix}`, `agate_roles_${suffix}`];
  const password = randomBytes(12).toString('hex');
  let dataDirectory: string;
  let server: ServerProcess | undefined;
  let both: Place;
  let alone: Place;

  const execute = async (...statements: string[]): Promise<void> => {
    const client = new Client({ connectionString: superuser() });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const urlAs = (username: string): string =>
    Object.assign(new URL(onDatabase(superuser(), name)), { username, password }).href;

  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'agate-test-'));
    await execute(
      `CREATE ROLE ${owner} LOGIN PASSWORD '${password}'`,
      `CREATE ROLE ${application} LOGIN PASSWORD '${password}'`,
      `CREATE DATABASE ${name} OWNER ${owner}`,
    );
    both = { dataDirectory, database: { url: urlAs(application), ownerUrl: urlAs(owner) } };
    alone = { dataDirectory, database: { url: urlAs(application) } };
  });
  afterAll(async () => {
    await server?.kill();
    await execute(`DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${owner}`, `DROP ROLE ${application}`);
    await rm(dataDirectory, { recursive: true, force: true });
  });
  const starts = async (place: Place, environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> => {
    await server?.kill();
    return (server = await ServerProcess.start(place, environment));
  };
  const said = (words: string): boolean => server!.lines.some((line) => line.includes(words));

  // red when: a missing privilege during migration is treated like other errors
  it("fail on an empty database without the owner's URL, naming DATABASE_OWNER_URL", async () => {
    const lonely = await ServerProcess.launch(alone);
    expect(await lonely.ended).toEqual({ code: 1, signal: null });
    expect(lonely.lines.join('\n')).toContain('Set DATABASE_OWNER_URL to the role that owns it');
    expect(lonely.lines.join('\n')).not.toContain(password);
  });

  it('allow a separate migration step that ends by itself', async () => {
    const step = await ServerProcess.launch(both, { MIGRATE_ON_START: 'false' }, ['--migrate-only']);
    expect(await step.ended).toEqual({ code: 0, signal: null });
    expect(step.lines.join('\n')).toContain('database migrated');
    expect(step.lines.join('\n')).not.toContain('ready');
  });

  // red when: the queue's tables get no policy (jobs are invisible), or any privilege of the list is missing
  it("serve accounts, uploads, mails and the command line with the application's role alone", async () => {
    await starts(alone, { MIGRATE_ON_START: 'false' });
    const ann = await Developer.signUp(server!.url, new Mailbox(join(dataDirectory, 'mail')));
    const project = await ann.createsProject(await ann.createsOrganization());
    const ci = new Bearer(server!.url, await ann.createsToken(project, 'MANAGE_PROJECT'));
    await ci.uploads(project, FILE);
    await supertest(server!.url).get('/api/v1/ready').expect(200);
    const { status, out } = await operator(
      alone,
      'audit',
      'verify',
      '--organization-id',
      project.organizationId,
      '--json',
    );
    expect({ status, out }).toMatchObject({ status: 0 });
    // Runs all schedules, including partitions and retention of the audit feed.
    const sweep = await operator(alone, 'sweep', '--yes', '--json');
    expect(sweep).toMatchObject({ status: 0, out: expect.stringContaining('audit.retention') as string });
    expect(sweep.out).not.toContain('"status": "failed"');
  });

  it("start with both URLs, and with the application's alone when no migration is pending", async () => {
    for (const place of [both, alone]) {
      await starts(place);
      expect(said('lacks')).toBe(false);
    }
  });

  // red when: reportFaults is not called at the start
  it('warn once in production when one role does everything, and not with two roles', async () => {
    const kept = (name: string): string => join(dataDirectory, 'keys', name);
    const production = {
      NODE_ENV: 'production',
      RATE_LIMIT_FACTOR: '1',
      BASE_URL: 'https://agate.example',
      CAPTCHA_PROVIDER: 'none',
      SIGN_UP: 'open',
      SHUTDOWN_DRAIN_MS: '0',
      JWT_PRIVATE_KEYS_FILE: kept('jwt-private-keys.pem'),
      MASTER_KEYS: await readFile(kept('master-keys'), 'utf8'),
      PASSWORD_PEPPER: await readFile(kept('password-pepper'), 'utf8'),
    };
    await starts({ dataDirectory, database: { url: urlAs(owner) } }, production);
    expect(server!.lines.filter((line) => line.includes('name the owner in DATABASE_OWNER_URL'))).toHaveLength(1);
    await starts(both, production);
    expect(said('name the owner in DATABASE_OWNER_URL')).toBe(false);
  });
});

/** A data directory of a version that had one role only. */
describe('an embedded database of an older version', () => {
  let dataDirectory: string;
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'agate-test-'));
    await chmod(dataDirectory, 0o711);
    const home = join(dataDirectory, 'postgres');
    const postgres = await startEmbeddedPostgres({ dataDirectory: home, log: () => undefined });
    await migrateDatabase(postgres.ownerUrl);
    const client = new Client({ connectionString: postgres.ownerUrl });
    await client.connect();
    await client.query('DROP ROLE agate_app');
    await client.end();
    await postgres.stop();
    await rm(join(home, 'application-password'));
  });
  afterAll(async () => {
    await server?.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  it('is rejected by the command line until the service has started once', async () => {
    const { status, err } = await operator({ dataDirectory }, 'jobs', 'status');
    expect({ status, err }).toMatchObject({ status: 1, err: expect.stringContaining('was not migrated') as string });
  });

  // red when: runOperatorConsole stops the database only after a command that ran
  it('is stopped when the command line cannot start', async () => {
    const broken = startOperator({ dataDirectory }, ['jobs', 'status'], { MASTER_KEYS: 'nonsense' });
    expect(await broken.done).toMatchObject({ status: 1, err: expect.stringContaining('MASTER_KEYS') as string });
    expect(await readPostmaster(join(dataDirectory, 'postgres', 'cluster'))).toBeUndefined();
    expect(await readdir(dataDirectory)).not.toContain('agate.lock');
  });

  // red when: the application's role is created only together with the cluster
  it('starts and gets a role for the application', async () => {
    server = await ServerProcess.start({ dataDirectory });
    const ann = await Developer.signUp(server.url, new Mailbox(join(dataDirectory, 'mail')));
    await ann.createsOrganization();
    expect(server.lines.some((line) => line.includes('lacks'))).toBe(false);
    const { status } = await operator({ dataDirectory }, 'jobs', 'status', '--json');
    expect(status).toBe(0);
  });
});
