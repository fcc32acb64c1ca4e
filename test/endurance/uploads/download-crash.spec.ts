import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { Client } from 'pg';
import { Bearer, type BuildJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { lockWaiters } from '../../support/app/lock-waiters';
import { TestApp } from '../../support/app/test-app';
import { faultsOf } from '../../support/checks/billing-consistency';
import { ServerProcess } from '../../support/processes/server-process';
import { until } from '../../support/until';

const SIZE_BYTES = 8 * 1024 * 1024;
const COST = Math.ceil((SIZE_BYTES * 120) / 1_000_000);

/** A real process is killed with SIGKILL between the steps of a download. The test's application is a second process. */
describe('a download whose process is killed', () => {
  let app: TestApp;
  let server: ServerProcess;
  let ann: Developer;
  let project: ProjectRef;
  let build: BuildJson;
  let token: string;

  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization());
    token = await ann.createsToken(project, 'UPLOAD_BUILD');
    const file = { bytes: randomBytes(SIZE_BYTES), fileName: 'Demo.dmg' };
    build = await ann.uploads(project, file, { platform: 'macos', version: '1' });
  });
  beforeEach(async () => {
    server = await ServerProcess.start(app, { ROLE: 'api' });
  });
  afterEach(async () => {
    await server.kill();
    expect(await faultsOf(app)).toEqual([]);
  });
  afterAll(() => app.stop());

  const rows = async (from: string): Promise<number> =>
    (await app.sql<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${from}`))[0]!.rows;
  const charges = (): Promise<number> => rows(`ledger_entry WHERE kind = 'usage_download'`);
  const mint = (url: string) => new Bearer(url, token).post(`/builds/${build.id}/download-url?${scope(project)}`);
  const mints = async (): Promise<string> =>
    new URL(((await mint(app.url).expect(200)).body as { url: string }).url).pathname;
  const downloads = async (path: string): Promise<void> => {
    const { body } = await app.anonymous.get(path).buffer(true).parse(asBytes).expect(200);
    expect((body as Buffer).length).toBe(SIZE_BYTES);
  };
  const account = async () =>
    (await ann.get(`/organizations/${project.organizationId}/billing`).expect(200)).body as Record<string, number>;

  /** Blocks writes to a table, kills the process that waits for one, and unlocks the table. */
  const killedWhileItWrites = async (table: string, work: () => Promise<unknown>): Promise<void> => {
    const client = new Client({ connectionString: app.database.ownerUrl });
    await client.connect();
    try {
      await client.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
      const lost = work().catch(() => 'lost');
      await until(async () => (await rows(lockWaiters(table))) > 0);
      await server.kill();
      expect(await lost).toBe('lost');
    } finally {
      await client.end();
    }
    await until(
      async () =>
        (await rows(`pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`)) === 0,
    );
  };

  // red when: the reservation is committed apart from the ticket
  it.each(['reservation', 'download_ticket', 'audit_event'])(
    'while its URL is minted, at the write of %s, reserves nothing',
    async (table) => {
      const before = await account();
      const tickets = await rows('download_ticket');
      await killedWhileItWrites(table, () => mint(server.url).then((answer) => answer));
      expect(await rows('download_ticket')).toBe(tickets);
      expect(await account()).toMatchObject({
        balance_micro_usd: before['balance_micro_usd'],
        reserved_micro_usd: before['reserved_micro_usd'],
      });
    },
  );

  // red when: the use of the ticket is committed apart from its charge
  it.each(['download_ticket', 'reservation', 'ledger_entry', 'billing_account'])(
    'at its first use, at the write of %s, is not charged until the next use',
    async (table) => {
      const path = await mints();
      const before = await account();
      const charged = await charges();
      await killedWhileItWrites(table, () => fetch(`${server.url}${path}`));
      expect(await charges()).toBe(charged);
      expect(await account()).toMatchObject({
        balance_micro_usd: before['balance_micro_usd'],
        reserved_micro_usd: before['reserved_micro_usd'],
      });
      await downloads(path);
      await downloads(path);
      expect(await charges()).toBe(charged + 1);
      expect(await account()).toMatchObject({ balance_micro_usd: before['balance_micro_usd']! - COST });
    },
  );

  it('between its URL and its first use works at the other process', async () => {
    const path = new URL(((await mint(server.url).expect(200)).body as { url: string }).url).pathname;
    await server.kill();
    const charged = await charges();
    await downloads(path);
    expect(await charges()).toBe(charged + 1);
  });

  it('in the middle of the bytes is charged once, and the retry is free', async () => {
    const path = await mints();
    const charged = await charges();
    await new Promise<void>((resolve) => {
      get(`${server.url}${path}`, (response) => {
        response.on('error', () => resolve());
        response.once('data', () => {
          response.pause();
          void server.kill().then(() => response.resume());
        });
        response.on('close', () => resolve());
      }).on('error', () => resolve());
    });
    expect(await charges()).toBe(charged + 1);
    await downloads(path);
    expect(await charges()).toBe(charged + 1);
  });

  // red when: DownloadProgressRecorder.beforeApplicationShutdown does nothing
  it('by a graceful stop right after it is in the download log', async () => {
    const complete = 'build_download WHERE completed_at IS NOT NULL';
    const before = await rows(complete);
    const answer = await fetch(`${server.url}${await mints()}`);
    expect((await answer.arrayBuffer()).byteLength).toBe(SIZE_BYTES);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(await rows(complete)).toBe(before + 1);
  });
});

/** Keeps supertest from decoding the body. */
const asBytes = (response: unknown, done: (error: Error | null, body: Buffer) => void): void => {
  const chunks: Buffer[] = [];
  (response as NodeJS.ReadableStream)
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => done(null, Buffer.concat(chunks)));
};
