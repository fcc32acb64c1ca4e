import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { type Response } from 'supertest';
import { type BuildJson, Bearer, type Developer, type ProjectRef, scope } from '../support/actors/actors';
import { faultsOf, setBalance } from '../support/checks/billing-consistency';
import { ResumableClient } from '../support/actors/resumable-client';
import { ServerProcess } from '../support/processes/server-process';
import { tableDigests } from '../support/checks/table-digests';
import { verifiedDeveloper } from '../support/actors/tenant';
import { TestApp } from '../support/app/test-app';

const MB = 1_000_000;
/** What a download of the build costs: 1 MB at 120. */
const DOWNLOAD = 120n;
const FILE = { bytes: randomBytes(MB), fileName: 'Demo.dmg' };
const MAC = { platform: 'macos', version: '1' };

jest.setTimeout(240_000);

/**
 * Money on two real server processes that share a database (reliability F, L6), without a worker: what holds here holds without
 * any job having run. Races that no request provokes are in test/integration/billing/billing-races.spec.ts.
 */
describe('money under races', () => {
  let app: TestApp;
  let servers: ServerProcess[];
  let ann: Developer;
  let project: ProjectRef;
  let build: BuildJson;
  let tokens: string[];

  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    servers = await Promise.all([ServerProcess.start(app, { ROLE: 'api' }), ServerProcess.start(app, { ROLE: 'api' })]);
  });
  beforeEach(async () => {
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization());
    build = await ann.uploads(project, FILE, MAC);
    tokens = await Promise.all(Array.from({ length: 5 }, () => ann.createsToken(project)));
  });
  afterEach(async () => expect(await faultsOf(app)).toEqual([]));
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await app.stop();
  });

  /** The same caller at one of the processes. */
  const at = (n: number, token = ann.token): Bearer => new Bearer(servers[n % servers.length]!.url, token);
  /** One of five tokens: what a single one may hold open is bounded. */
  const ci = (n: number): Bearer => at(n, tokens[n % tokens.length]);
  const mint = (n: number, bearer = ci(n)) => bearer.post(`/builds/${build.id}/download-url?${scope(project)}`);
  const initiate = (n: number, bearer = ci(n)) =>
    bearer.post(`/builds/uploads?${scope(project)}`, {
      file_name: 'Demo.dmg',
      // Costs what a download does: 6 MB at 20.
      size_bytes: 6 * MB,
      platform: 'macos',
      version: '2',
    });
  const mintsTickets = async (count: number): Promise<string[]> =>
    (await times(count, (n) => mint(n).expect(200))).map(({ body }) => new URL((body as { url: string }).url).pathname);
  const uses = async (ticket: string, n: number): Promise<number> =>
    (await fetch(servers[n % servers.length]!.url + ticket, { headers: { Range: 'bytes=0-9' } })).status;

  const statuses = (answers: readonly { readonly status: number }[]): Record<number, number> => {
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const times = <T>(count: number, work: (n: number) => PromiseLike<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)));
  const account = async (): Promise<Record<string, number>> => {
    const [row] = await app.sql<Record<string, string>>('SELECT * FROM billing_account WHERE organization_id = $1', [
      project.organizationId,
    ]);
    return { balance: Number(row!['balance_micro_usd']), reserved: Number(row!['reserved_micro_usd']) };
  };
  const events = (type: string) =>
    app.sql(`SELECT FROM audit_event WHERE type = $1 AND organization_id = $2`, [type, project.organizationId]);

  // red when: RESERVE loses its condition on what is free, or reads it in a statement of its own
  it.each([1, 2, 3, 4, 5])(
    'F1: of 500 parallel initiates and mints, exactly the 100 that are paid for, and no 5xx (round %d)',
    async () => {
      await setBalance(app, project.organizationId, 100n * DOWNLOAD);
      const answers = await times<Response>(500, (n) => (n % 2 === 0 ? mint(n >> 1) : initiate(n >> 1)));
      const { 200: minted = 0, 201: initiated = 0, ...refused } = statuses(answers);
      expect(refused).toEqual({ 402: 400 });
      expect(minted + initiated).toBe(100);
      const all = Number(100n * DOWNLOAD);
      expect(await account()).toEqual({ balance: all, reserved: all });
    },
  );

  // red when: a completion and a drop do not both lock the upload, or resolve does not ask whence a reservation comes
  it.each([1, 2, 3])('F3: 50 parallel completions and drops of an upload resolve it once (round %d)', async () => {
    const upload = await ResumableClient.start(ci(0), project, FILE, { ...MAC, version: '2' });
    await upload.sendAll();
    const rows = async (from: string): Promise<number> =>
      (await app.sql(`SELECT FROM ${from} WHERE organization_id = $1`, [project.organizationId])).length;
    const before = { builds: await rows('build'), charges: await rows('ledger_entry') };
    const answers = await times<Response>(50, (n) => {
      const bearer = at(n >> 1, tokens[0]);
      return n % 2 === 0 ? bearer.post(upload.path('/complete')) : bearer.delete(upload.path());
    });
    const became = statuses(answers);
    const isBuild = became[201] !== undefined;
    // Every completion is told of the build, and the drops that it is one; or the first drop is heard, and nobody else.
    expect(became).toEqual(isBuild ? { 201: 25, 400: 25 } : { 204: 1, 404: 49 });
    expect(await rows('build')).toBe(before.builds + (isBuild ? 1 : 0));
    expect(await rows('ledger_entry')).toBe(before.charges + (isBuild ? 1 : 0));
    expect((await account())['reserved']).toBe(0);
    expect(await events('build.upload_dropped')).toHaveLength(isBuild ? 0 : 1);
  });

  // red when: a refusal is thrown after the first row is written outside its transaction, or a claim is not released
  it('F5: 120 parallel refusals change no row and leave no file', async () => {
    await setBalance(app, project.organizationId, 19n);
    const files = async (): Promise<string[]> => (await readdir(app.dataDirectory, { recursive: true })).sort();
    const before = [await tableDigests(app), await files()];
    const answers = await times<Response>(120, (n) => {
      const bearer = at(n >> 2);
      if (n % 3 === 0) return mint(n, bearer).set('Idempotency-Key', randomUUID());
      if (n % 3 === 1) return initiate(n, bearer).set('Idempotency-Key', randomUUID());
      return bearer.upload(project, FILE, { ...MAC, version: '2' });
    });
    expect(statuses(answers)).toEqual({ 402: 120 });
    expect([await tableDigests(app), await files()]).toEqual(before);
  });

  it('F6: of a cap for 20, exactly 20, and the code of the plan', async () => {
    await ann.changesPlan({ id: project.organizationId }, 'business');
    const { spent_micro_usd: spent } = (await ann.get(`/organizations/${project.organizationId}/billing`).expect(200))
      .body as { spent_micro_usd: number };
    const cap = { spend_cap_micro_usd: spent + 20 * Number(DOWNLOAD) };
    await ann.patch(`/organizations/${project.organizationId}/billing`, cap).expect(200);
    const answers = await times<Response>(100, (n) => mint(n));
    expect(statuses(answers)).toEqual({ 200: 20, 402: 80 });
    expect(
      new Set(answers.filter(({ status }) => status === 402).map(({ body }) => (body as { error: string }).error)),
    ).toEqual(new Set(['spend_cap_exceeded']));
  });

  // red when: the ticket's first use is not told from later ones, resolve does not ask whence it comes, and the ledger takes a
  // settlement twice: any one of the three would do
  it('F3, F10: 50 parallel first GETs of one URL are charged once', async () => {
    const [ticket] = await mintsTickets(1);
    const { balance } = await account();
    const gets = await times(50, (n) => uses(ticket!, n));
    expect(new Set(gets)).toEqual(new Set([206]));
    expect(await account()).toEqual({ balance: balance! - Number(DOWNLOAD), reserved: 0 });
  });

  // red when: the alert is looked for outside the account's lock
  it('F11: 100 parallel crossings of a threshold are told of once', async () => {
    await setBalance(app, project.organizationId, 150n * DOWNLOAD);
    const tickets = await mintsTickets(100);
    const gets = await times(100, (n) => uses(tickets[n]!, n));
    expect(new Set(gets)).toEqual(new Set([206]));
    expect(await events('billing.budget_reached')).toHaveLength(1);
    const worker = await TestApp.start({ beside: app });
    try {
      await worker.runsJob('billing.check');
    } finally {
      await worker.stop();
    }
    const mails = await app.mailbox.all(ann.email);
    expect(mails.filter(({ subject }) => /of its budget/.test(subject ?? ''))).toHaveLength(1);
  });

  // red when: openings are counted for the organization, or not at all
  it('L6: whoever hoards 1000 download URLs gets a bounded number, and others are still admitted', async () => {
    const answers = await times(1000, (n) => mint(n, at(n, tokens[0])));
    expect(statuses(answers)).toEqual({ 200: 100, 400: 900 });
    await mint(0, at(0, tokens[1])).expect(200);
  });

  // red when: reserveLocked does not give back what has run out, or not under the account's lock. Last: it moves the clock.
  it('domain check 11, F4: 50 mints on credit for 10, and the room is back after 30 minutes without a job', async () => {
    await setBalance(app, project.organizationId, 10n * DOWNLOAD);
    expect(statuses(await times(50, mint))).toEqual({ 200: 10, 402: 40 });
    await app.clock.advance({ minutes: 29 });
    expect(statuses(await times(5, mint))).toEqual({ 402: 5 });
    await app.clock.advance({ minutes: 2 });
    expect(statuses(await times(50, mint))).toEqual({ 200: 10, 402: 40 });
    expect((await account())['reserved']).toBe(Number(10n * DOWNLOAD));
  });
});
