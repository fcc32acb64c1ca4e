import { randomBytes, randomUUID } from 'node:crypto';
import { type Response } from 'supertest';
import { StorageAccrual } from '../../src/modules/billing/storage-accrual.service';
import { type BuildJson, Bearer, type Developer, type ProjectRef, scope } from '../support/actors';
import { faultsOf, operator, setBalance } from '../support/books';
import { verifiedDeveloper } from '../support/tenant';
import { TestApp } from '../support/test-app';
import { BillingOperations, BillingService } from '#modules/billing';

const MB = 1_000_000;
/** What a download of the build costs: 1 MB at 120. */
const DOWNLOAD = 120n;

/** Real sockets against two instances on one database (reliability F, L6). */
describe('money under races', () => {
  let apps: [TestApp, TestApp];
  let ann: Developer;
  let project: ProjectRef;
  let build: BuildJson;
  let tokens: string[];

  beforeAll(async () => {
    const environment = { MAX_OPEN_RESERVATIONS: '100000' };
    // Without a worker: what holds here holds without any job having run.
    const app = await TestApp.start({ environment, worker: false });
    apps = [app, await TestApp.start({ environment, beside: app, worker: false })];
  });
  beforeEach(async () => {
    // Anew each time: some tests move the clock past the end of a session.
    ann = await verifiedDeveloper(apps[0]);
    project = await ann.createsProject(await ann.createsOrganization());
    const file = { bytes: randomBytes(MB), fileName: 'Demo.dmg' };
    build = await ann.uploads(project, file, { platform: 'macos', version: '1' });
    tokens = await Promise.all(Array.from({ length: 5 }, () => ann.createsToken(project, 'UPLOAD_BUILD')));
  });
  afterEach(async () => expect(await faultsOf(apps[0])).toEqual([]));
  afterAll(async () => {
    await apps[1].stop();
    await apps[0].stop();
  });

  const ci = (n: number): Bearer => new Bearer(apps[n % 2]!.url, tokens[n % tokens.length]!);
  /** On a crowded machine the pool may have no connection in time: a client that hears 503 tries again. */
  const insisting = async (ask: () => PromiseLike<Response>): Promise<Response> => {
    for (;;) {
      const answer = await ask();
      if (answer.status !== 503) return answer;
    }
  };
  const mint = (n: number): Promise<Response> =>
    insisting(() => ci(n).post(`/builds/${build.id}/download-url?${scope(project)}`));
  const initiate = (n: number): Promise<Response> =>
    insisting(() =>
      ci(n).post(`/builds/uploads?${scope(project)}`, {
        file_name: 'Demo.dmg',
        // Costs what a download does: 6 MB at 20.
        size_bytes: 6 * MB,
        platform: 'macos',
        version: '2',
      }),
    );
  /** By the operator's view: a session does not outlast the clock that is moved. */
  const account = async (): Promise<Record<string, unknown>> => {
    const view = await apps[0].nest.get(BillingOperations).show(operator(apps[0]), project.organizationId);
    return {
      balance_micro_usd: Number(view.balanceMicroUsd),
      reserved_micro_usd: Number(view.openMicroUsd),
      available_micro_usd: Number(view.availableMicroUsd),
      spent_micro_usd: Number(view.spentMicroUsd),
      metered: view.metered,
    };
  };
  const balance = async (): Promise<number> => (await account())['balance_micro_usd'] as number;
  const statuses = (answers: readonly Response[]): Record<number, number> => {
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)));
  const audit = (type: string) =>
    apps[0].sql(`SELECT FROM audit_event WHERE type = $1 AND organization_id = $2`, [type, project.organizationId]);

  // red when: RESERVE loses its condition on what is free, or reads it in a statement of its own
  it.each([1, 2, 3, 4, 5])(
    'F1: of 500 parallel initiates and mints, exactly the 100 that are paid for (round %d)',
    async () => {
      await setBalance(apps[0], project.organizationId, 100n * DOWNLOAD);
      const answers = await times(500, (n) => (n % 2 === 0 ? mint(n >> 1) : initiate(n >> 1)));
      const { 200: minted = 0, 201: initiated = 0, ...refused } = statuses(answers);
      expect(minted + initiated).toBe(100);
      expect(refused).toEqual({ 402: 400 });
      expect(await account()).toMatchObject({ reserved_micro_usd: Number(100n * DOWNLOAD), available_micro_usd: 0 });
    },
    120_000,
  );

  it('F6: of a cap for 20, exactly 20, and the code of the plan', async () => {
    await ann.post(`/organizations/${project.organizationId}/plan`, { plan: 'business' }).expect(200);
    const { spent_micro_usd: spent } = await account();
    const cap = { spend_cap_micro_usd: (spent as number) + 20 * Number(DOWNLOAD) };
    await ann.patch(`/organizations/${project.organizationId}/billing`, cap).expect(200);
    const answers = await times(100, mint);
    expect(statuses(answers)).toEqual({ 200: 20, 402: 80 });
    expect(
      new Set(answers.filter(({ status }) => status === 402).map(({ body }) => (body as { error: string }).error)),
    ).toEqual(new Set(['spend_cap_exceeded']));
  });

  // red when: reserveLocked does not give back what has run out, or not under the account's lock
  it('domain check 11, F4: 50 mints on credit for 10, and the room is back after 30 minutes without a job', async () => {
    await setBalance(apps[0], project.organizationId, 10n * DOWNLOAD);
    expect(statuses(await times(50, mint))).toEqual({ 200: 10, 402: 40 });
    expect((await account())['available_micro_usd']).toBe(0);
    await apps[0].clock.advance({ minutes: 29 });
    expect(statuses(await times(5, mint))).toEqual({ 402: 5 });
    await apps[0].clock.advance({ minutes: 2 });
    expect(statuses(await times(50, mint))).toEqual({ 200: 10, 402: 40 });
    expect((await account())['available_micro_usd']).toBe(0);
  });

  // red when: resolve does not ask whence it comes, or the ticket's first use is not told from later ones
  it('F10: 40 parallel first GETs of one URL are charged once', async () => {
    const before = await balance();
    const { url } = (await mint(0)).body as { url: string };
    const path = new URL(url).pathname;
    const gets = await times(40, (n) =>
      insisting(() => apps[n % 2]!.anonymous.get(path).set('Range', 'bytes=0-9').buffer(true)),
    );
    expect(statuses(gets)).toEqual({ 206: 40 });
    expect(await balance()).toBe(before - Number(DOWNLOAD));
  });

  // red when: the ledger has no unique reference, or `book` does not look at it
  it('F10: a settlement that is replayed 20 times is booked once', async () => {
    const ctx = operator(apps[0]);
    const billing = [apps[0].nest.get(BillingService), apps[1].nest.get(BillingService)] as const;
    const { organizationId } = project;
    const { id } = await billing[0].reserve(ctx, { organizationId, kind: 'download', sizeBytes: MB });
    const before = await balance();
    const settled = await times(20, (n) => billing[n % 2]!.settle(ctx, id, MB));
    expect(settled.filter(Boolean)).toHaveLength(1);
    expect(await balance()).toBe(before - Number(DOWNLOAD));
  });

  // red when: the alert is looked for outside the account's lock
  it('F11: 100 parallel crossings of a threshold are told of once', async () => {
    const ctx = operator(apps[0]);
    const { organizationId } = project;
    await setBalance(apps[0], organizationId, 150n * DOWNLOAD);
    const billing = [apps[0].nest.get(BillingService), apps[1].nest.get(BillingService)] as const;
    const held = await times(100, (n) =>
      billing[n % 2]!.reserve(ctx, { organizationId, kind: 'download', sizeBytes: MB }),
    );
    await times(100, (n) => billing[n % 2]!.settle(ctx, held[n]!.id, MB));
    expect(await audit('billing.budget_reached')).toHaveLength(1);
    const worker = await TestApp.start({ beside: apps[0] });
    try {
      await worker.runsJob('billing.check');
    } finally {
      await worker.stop();
    }
    const mails = await apps[0].mailbox.all(ann.email);
    expect(mails.filter(({ subject }) => /of its budget/.test(subject ?? ''))).toHaveLength(1);
  });

  // red when: markPaid does not ask for state = 'pending'
  it('F12: an operator who approves and grants twice, at once, gives once', async () => {
    const ctx = operator(apps[0]);
    const operations = [apps[0].nest.get(BillingOperations), apps[1].nest.get(BillingOperations)] as const;
    const { organizationId } = project;
    const before = await balance();
    const key = randomUUID();
    const asked = await times(10, (n) =>
      insisting(() =>
        new Bearer(apps[n % 2]!.url, ann.token)
          .post(`/organizations/${organizationId}/billing/top-ups`, { amount_micro_usd: 7_000_000 })
          .set('Idempotency-Key', key),
      ),
    );
    expect(statuses(asked)).toEqual({ 201: 10 });
    const ids = new Set(asked.map(({ body }) => (body as { id: string }).id));
    expect(ids.size).toBe(1);
    const outcomes = await times(20, async (n) => {
      const [id] = [...ids] as [string];
      const work =
        n % 2 === 0
          ? operations[n % 4 === 0 ? 0 : 1].approveTopUp(ctx, id)
          : operations[n % 4 === 1 ? 0 : 1].grantCredit(ctx, organizationId, {
              amountMicroUsd: 500n,
              reference: 'sorry',
            });
      return work.then(
        () => true,
        () => false,
      );
    });
    expect(outcomes.filter(Boolean)).toHaveLength(2);
    expect(await balance()).toBe(before + 7_000_000 + 500);
    expect(await audit('billing.top_up_paid')).toHaveLength(1);
    expect(await audit('billing.credit_granted')).toHaveLength(1);
  });

  // red when: openings are counted for the organization, or not at all
  it('L6: whoever hoards 1000 download URLs gets a bounded number, and others are still admitted', async () => {
    const bounded = await TestApp.start({ beside: apps[0], environment: { MAX_OPEN_RESERVATIONS: '100' } });
    try {
      const hoarder = new Bearer(bounded.url, tokens[0]!);
      const other = new Bearer(bounded.url, tokens[1]!);
      const path = `/builds/${build.id}/download-url?${scope(project)}`;
      const answers = await times(1000, () => insisting(() => hoarder.post(path)));
      expect(statuses(answers)).toEqual({ 200: 100, 400: 900 });
      await other.post(path).expect(200);
    } finally {
      await bounded.stop();
    }
  }, 180_000);

  // red when: a charge does not ask whether the meters run, or the flip leaves an interval open
  it('F6: an organization whose meters rest is never refused, reserves nothing, and is charged nothing', async () => {
    const billing = apps[0].nest.get(BillingService);
    const { organizationId } = project;
    await setBalance(apps[0], organizationId, 0n);
    expect((await mint(0)).status).toBe(402);
    await billing.setMetered(operator(apps[0]), organizationId, false);
    const { url } = (await mint(0)).body as { url: string };
    await apps[0].anonymous.get(new URL(url).pathname).expect(200);
    const extra = await ann.uploads(
      project,
      { bytes: randomBytes(MB), fileName: 'Other.dmg' },
      { platform: 'macos', version: '3' },
    );
    await apps[0].clock.advance({ days: 2 });
    await apps[0].nest.get(StorageAccrual).accrueAll(operator(apps[0]));
    expect(await account()).toMatchObject({
      balance_micro_usd: expect.any(Number) as number,
      reserved_micro_usd: 0,
      metered: false,
    });
    expect(
      await apps[0].sql(`SELECT FROM storage_interval WHERE organization_id = $1 AND ended_at IS NULL`, [
        organizationId,
      ]),
    ).toEqual([]);

    await billing.setMetered(operator(apps[0]), organizationId, true);
    const open = await apps[0].sql<{ build_id: string }>(
      `SELECT build_id FROM storage_interval WHERE organization_id = $1 AND ended_at IS NULL`,
      [organizationId],
    );
    expect(open.map(({ build_id }) => build_id).sort()).toEqual([build.id, extra.id].sort());
    expect((await mint(0)).status).toBe(402);
  });
});
