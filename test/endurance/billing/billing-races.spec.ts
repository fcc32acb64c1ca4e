import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { type Response } from 'supertest';
import { Bearer, type BuildJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { ResumableClient } from '../../support/actors/resumable-client';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { faultsOf, setBalance } from '../../support/checks/billing-consistency';
import { tableDigests } from '../../support/checks/table-digests';
import { ServerProcess } from '../../support/processes/server-process';

const MB = 1_000_000;
/** The cost of a download of the build: 1 MB at 120 micro-dollars. */
const DOWNLOAD = 120n;
const FILE = { bytes: randomBytes(MB), fileName: 'Demo.dmg' };
const MAC = { platform: 'macos', version: '1' };

jest.setTimeout(240_000);

/**
 * On two real server processes that share a database, without a worker, because nothing here may depend on a job. Races that requests
 * cannot provoke are in test/integration/billing/billing-races.spec.ts.
 */
describe('billing under concurrent requests', () => {
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

  /** A client of server process `n`. */
  const at = (n: number, token = ann.token): Bearer => new Bearer(servers[n % servers.length]!.url, token);
  /** A client with one of five tokens, because the open reservations of each token are limited. */
  const ci = (n: number): Bearer => at(n, tokens[n % tokens.length]);
  const mint = (n: number, bearer = ci(n)) => bearer.post(`/builds/${build.id}/download-url?${scope(project)}`);
  const initiate = (n: number, bearer = ci(n)) =>
    bearer.post(`/builds/uploads?${scope(project)}`, {
      file_name: 'Demo.dmg',
      // Costs as much as a download: 6 MB at 20 micro-dollars.
      size_bytes: 6 * MB,
      platform: 'macos',
      version: '2',
    });
  const mintTickets = async (count: number): Promise<string[]> =>
    (await times(count, (n) => mint(n).expect(200))).map(({ body }) => new URL((body as { url: string }).url).pathname);
  const useTicket = async (ticket: string, n: number): Promise<number> =>
    (await fetch(servers[n % servers.length]!.url + ticket, { headers: { Range: 'bytes=0-9' } })).status;

  const statuses = (responses: readonly { readonly status: number }[]): Record<number, number> => {
    const counts: Record<number, number> = {};
    for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
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

  // red when: RESERVE has no condition on the available amount, or a separate statement reads it
  it.each([1, 2, 3, 4, 5])(
    'admits exactly the 100 of 500 transfers that the credit covers, without a 5xx (round %d)',
    async () => {
      await setBalance(app, project.organizationId, 100n * DOWNLOAD);
      const responses = await times<Response>(500, (n) => (n % 2 === 0 ? mint(n >> 1) : initiate(n >> 1)));
      const { 200: minted = 0, 201: initiated = 0, ...rejected } = statuses(responses);
      expect(rejected).toEqual({ 402: 400 });
      expect(minted + initiated).toBe(100);
      const all = Number(100n * DOWNLOAD);
      expect(await account()).toEqual({ balance: all, reserved: all });
    },
  );

  // red when: a completion and a deletion do not both lock the upload, or resolve does not check the reservation's state
  it.each([1, 2, 3])('resolves an upload once when 50 requests complete and delete it (round %d)', async () => {
    const upload = await ResumableClient.start(ci(0), project, FILE, { ...MAC, version: '2' });
    await upload.sendAll();
    const rows = async (from: string): Promise<number> =>
      (await app.sql(`SELECT FROM ${from} WHERE organization_id = $1`, [project.organizationId])).length;
    const before = { builds: await rows('build'), charges: await rows('ledger_entry') };
    const responses = await times<Response>(50, (n) => {
      const bearer = at(n >> 1, tokens[0]);
      return n % 2 === 0 ? bearer.post(upload.path('/complete')) : bearer.delete(upload.path());
    });
    const counts = statuses(responses);
    const isBuild = counts[201] !== undefined;
    // Either each completion receives the build and each deletion is rejected, or one deletion succeeds.
    expect(counts).toEqual(isBuild ? { 201: 25, 400: 25 } : { 204: 1, 404: 49 });
    expect(await rows('build')).toBe(before.builds + (isBuild ? 1 : 0));
    expect(await rows('ledger_entry')).toBe(before.charges + (isBuild ? 1 : 0));
    expect((await account())['reserved']).toBe(0);
    expect(await events('build.upload_dropped')).toHaveLength(isBuild ? 0 : 1);
  });

  // red when: a row is written outside the transaction that rejects the request, or the idempotency lease is not released
  it('changes no row and leaves no file when 120 transfers are rejected', async () => {
    await setBalance(app, project.organizationId, 19n);
    const files = async (): Promise<string[]> => (await readdir(app.dataDirectory, { recursive: true })).sort();
    const before = [await tableDigests(app), await files()];
    const responses = await times<Response>(120, (n) => {
      const bearer = at(n >> 2);
      if (n % 3 === 0) return mint(n, bearer).set('Idempotency-Key', randomUUID());
      if (n % 3 === 1) return initiate(n, bearer).set('Idempotency-Key', randomUUID());
      return bearer.upload(project, FILE, { ...MAC, version: '2' });
    });
    expect(statuses(responses)).toEqual({ 402: 120 });
    expect([await tableDigests(app), await files()]).toEqual(before);
  });

  it('admits exactly 20 transfers for a spend cap of 20, and rejects the others with spend_cap_exceeded', async () => {
    await ann.changesPlan({ id: project.organizationId }, 'business');
    const { spent_micro_usd: spent } = (await ann.get(`/organizations/${project.organizationId}/billing`).expect(200))
      .body as { spent_micro_usd: number };
    const cap = { spend_cap_micro_usd: spent + 20 * Number(DOWNLOAD) };
    await ann.patch(`/organizations/${project.organizationId}/billing`, cap).expect(200);
    const responses = await times<Response>(100, (n) => mint(n));
    expect(statuses(responses)).toEqual({ 200: 20, 402: 80 });
    expect(
      new Set(responses.filter(({ status }) => status === 402).map(({ body }) => (body as { error: string }).error)),
    ).toEqual(new Set(['spend_cap_exceeded']));
  });

  // red when: the first use of a ticket is not distinguished, resolve does not check the reservation's state, and the ledger books a
  // settlement twice. Each of the three is sufficient to prevent a double charge.
  it('charges a download once when 50 requests use its URL for the first time', async () => {
    const [ticket] = await mintTickets(1);
    const { balance } = await account();
    const gets = await times(50, (n) => useTicket(ticket!, n));
    expect(new Set(gets)).toEqual(new Set([206]));
    expect(await account()).toEqual({ balance: balance! - Number(DOWNLOAD), reserved: 0 });
  });

  // red when: the alert is computed without the account's lock
  it('mails one budget alert when 100 downloads cross a threshold', async () => {
    await setBalance(app, project.organizationId, 150n * DOWNLOAD);
    const tickets = await mintTickets(100);
    const gets = await times(100, (n) => useTicket(tickets[n]!, n));
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

  // red when: open reservations are counted per organization, or not at all
  it('limits the open reservations of one token of 1000 requests, and admits another token', async () => {
    const responses = await times(1000, (n) => mint(n, at(n, tokens[0])));
    expect(statuses(responses)).toEqual({ 200: 100, 400: 900 });
    await mint(0, at(0, tokens[1])).expect(200);
  });

  // red when: reserveLocked does not return the credit of expired reservations, or does so without the account's lock.
  // The last test, because it advances the clock.
  it('admits 10 transfers again when 10 reservations have expired after 30 minutes, without a job', async () => {
    await setBalance(app, project.organizationId, 10n * DOWNLOAD);
    expect(statuses(await times(50, mint))).toEqual({ 200: 10, 402: 40 });
    await app.clock.advance({ minutes: 29 });
    expect(statuses(await times(5, mint))).toEqual({ 402: 5 });
    await app.clock.advance({ minutes: 2 });
    expect(statuses(await times(50, mint))).toEqual({ 200: 10, 402: 40 });
    expect((await account())['reserved']).toBe(Number(10n * DOWNLOAD));
  });
});
