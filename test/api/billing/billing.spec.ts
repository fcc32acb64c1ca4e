import { randomBytes } from 'node:crypto';
import { OperatorBillingService } from '#modules/billing';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { operator, setBalance } from '../../support/checks/billing-consistency';

const MB = 1_000_000;

interface Account {
  readonly balance_micro_usd: number;
  readonly reserved_micro_usd: number;
  readonly available_micro_usd: number | null;
  readonly spent_micro_usd: number;
  readonly [field: string]: unknown;
}

describe('the billing account of an organization', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;

  beforeAll(async () => {
    app = await TestApp.start();
    // Weeks before the end of a month, when fees change the balances.
    await app.clock.advanceToFifth();
    ann = await app.developer();
  });
  beforeEach(async () => {
    project = await ann.createsProject(await ann.createsOrganization());
  });
  afterAll(() => app.stop());

  const at = (path: string): string => `/organizations/${project.organizationId}/${path}`;
  const account = async (): Promise<Account> => (await ann.get(at('billing')).expect(200)).body as Account;
  const ledger = async (): Promise<Record<string, unknown>[]> =>
    ((await ann.get(at('billing/ledger')).expect(200)).body as { items: Record<string, unknown>[] }).items;
  const usage = async (query = '') =>
    (await ann.get(at(`usage${query}`)).expect(200)).body as { days: Record<string, unknown>[] };
  const uploads = (bytes: number): Promise<BuildJson> =>
    ann.uploads(project, { bytes: randomBytes(bytes), fileName: 'Demo.dmg' }, { platform: 'macos', version: '1.0' });
  const mintDownloadUrl = (build: BuildJson) => ann.post(`/builds/${build.id}/download-url?${scope(project)}`);
  /** The percentages of the alerts about this organization, oldest first, when there are at least `count`. */
  const alerts = async (count: number): Promise<number[]> => {
    const { name } = (await ann.get(`/organizations/${project.organizationId}`).expect(200)).body as { name: string };
    const found = async (): Promise<number[]> =>
      (await app.mailbox.all(ann.email)).flatMap(({ subject = '' }) => {
        const [, percent] = subject.startsWith(name) ? (/ has used (\d+) % of its budget/.exec(subject) ?? []) : [];
        return percent === undefined ? [] : [Number(percent)];
      });
    // The worker sends a mail within seconds; 15 seconds leave room for a busy machine.
    for (let waited = 0; waited < 15_000 && (await found()).length < count; waited += 50) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return found();
  };

  it('includes the first pages of its lists on request', async () => {
    await ann.post(at('billing/top-ups'), { amount_micro_usd: 1_000_000 }).expect(201);
    const { lists, ...rest } = (await ann.get(at('billing?include=lists')).expect(200)).body as Account & {
      readonly lists: Record<string, unknown>;
    };
    expect(rest).toEqual(await account());
    for (const [name, path] of Object.entries({ top_ups: 'top-ups', ledger: 'ledger', statements: 'statements' })) {
      expect(lists[name]).toEqual((await ann.get(at(`billing/${path}?limit=50`)).expect(200)).body);
    }
    expect((lists as { top_ups: { items: unknown[] } }).top_ups.items).toHaveLength(1);
    await ann.get(at('billing?include=everything')).expect(400);
  });

  it('starts with the trial credit, after the first fee pro rata was charged and credited back', async () => {
    expect(await account()).toMatchObject({
      plan: 'team',
      mode: 'prepaid',
      balance_micro_usd: 5_000_000,
      reserved_micro_usd: 0,
      spent_micro_usd: 0,
      available_micro_usd: 5_000_000,
      spend_cap_micro_usd: null,
      budget_alert_percents: [50, 80, 90, 100],
    });
    const [credit, fee] = await ledger();
    expect([credit?.['kind'], fee?.['kind']]).toEqual(['trial_credit', 'plan_fee']);
    expect(Number(credit?.['amount_micro_usd']) + Number(fee?.['amount_micro_usd'])).toBe(5_000_000);
    expect(Number(fee?.['amount_micro_usd'])).toBeLessThan(0);
    expect(Number(fee?.['amount_micro_usd'])).toBeGreaterThanOrEqual(-5_000_000);
  });

  it('is charged for an upload by its bytes, and for a download at its first GET', async () => {
    const build = await uploads(3 * MB);
    expect(await account()).toMatchObject({
      balance_micro_usd: 5_000_000 - 60,
      reserved_micro_usd: 0,
      spent_micro_usd: 60,
    });
    const { url } = (await mintDownloadUrl(build).expect(200)).body as { url: string };
    expect(await account()).toMatchObject({
      balance_micro_usd: 5_000_000 - 60,
      reserved_micro_usd: 360,
      available_micro_usd: 5_000_000 - 420,
    });
    const path = new URL(url).pathname;
    await app.anonymous.head(path).expect(200);
    expect(await account()).toMatchObject({ reserved_micro_usd: 360 });
    for (let time = 0; time < 2; time++) await app.anonymous.get(path).expect(200);
    expect(await account()).toMatchObject({
      balance_micro_usd: 5_000_000 - 420,
      reserved_micro_usd: 0,
      spent_micro_usd: 420,
    });
    expect((await ledger()).slice(0, 2)).toMatchObject([
      { kind: 'usage_download', amount_micro_usd: -360, quantity: 3 },
      { kind: 'usage_upload', amount_micro_usd: -60, quantity: 3 },
    ]);
    expect(await usage()).toMatchObject({
      upload_mb: 3,
      download_mb: 3,
      upload_micro_usd: 60,
      download_micro_usd: 360,
      days: expect.arrayContaining([expect.objectContaining({ upload_mb: 3, download_mb: 3 })]) as unknown,
    });
  });

  it('rejects transfers with the error code of its plan when the available amount is too small, and changes nothing', async () => {
    const build = await uploads(1 * MB);
    await setBalance(app, project.organizationId, 100n);
    const tables = [
      'build',
      'artifact_upload',
      'reservation',
      'download_ticket',
      'audit_event',
      'ledger_entry',
      'billing_account',
      'storage_interval',
      'idempotency_record',
    ];
    const state = () =>
      Promise.all(
        tables.map((table) =>
          app.sql(
            `SELECT '${table}' AS name, md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM ${table} t`,
          ),
        ),
      );
    const before = await state();
    const rejected = await mintDownloadUrl(build).expect(402);
    expect(rejected.body).toMatchObject({
      error: 'prepaid_credit_exhausted',
      details: { required_micro_usd: 120, available_micro_usd: 100 },
    });
    const tooBig = { bytes: randomBytes(10 * MB), fileName: 'Demo.dmg' };
    expect((await ann.upload(project, tooBig, { platform: 'macos', version: '2' })).status).toBe(402);
    expect(await state()).toEqual(before);

    await ann.post(at('plan'), { plan: 'business' }).expect(200);
    await ann.patch(at('billing'), { spend_cap_micro_usd: 100 }).expect(200);
    const capped = await state();
    expect((await mintDownloadUrl(build).expect(402)).body).toMatchObject({ error: 'spend_cap_exceeded' });
    expect(await state()).toEqual(capped);
    // Reading does not depend on the balance.
    await ann.get(`/builds?${scope(project)}`).expect(200);
    await ann.patch(at('billing'), { spend_cap_micro_usd: 100_000_000 }).expect(200);
    await mintDownloadUrl(build).expect(200);
  });

  // red when: update does not check the plan
  it('rejects a spend cap on the prepaid plan, and changes nothing', async () => {
    const before = await account();
    for (const body of [
      { spend_cap_micro_usd: 7_000_000 },
      { spend_cap_micro_usd: 0 },
      { spend_cap_micro_usd: 7_000_000, budget_alert_percents: [10] },
    ]) {
      const rejected = await ann.patch(at('billing'), body).expect(400);
      expect(rejected.body).toMatchObject({ error: 'operation_not_allowed', details: { required_plan: 'business' } });
    }
    expect(await account()).toEqual(before);
    // The prepaid plan has no cap, so removing it is not an error.
    await ann.patch(at('billing'), { spend_cap_micro_usd: null, budget_alert_percents: [10] }).expect(200);
  });

  it('changes its spend cap and alerts, and keeps absent fields', async () => {
    await ann.post(at('plan'), { plan: 'business' }).expect(200);
    expect((await ann.patch(at('billing'), { spend_cap_micro_usd: 7_000_000 }).expect(200)).body).toMatchObject({
      spend_cap_micro_usd: 7_000_000,
      budget_alert_percents: [50, 80, 90, 100],
    });
    expect((await ann.patch(at('billing'), { budget_alert_percents: [90, 10] }).expect(200)).body).toMatchObject({
      spend_cap_micro_usd: 7_000_000,
      budget_alert_percents: [10, 90],
    });
    await ann.patch(at('billing'), {}).expect(200);
    for (const bad of [
      { spend_cap_micro_usd: -1 },
      { spend_cap_micro_usd: 1.5 },
      { budget_alert_percents: [0] },
      { budget_alert_percents: [5, 5] },
      { balance_micro_usd: 1 },
    ])
      expect((await ann.patch(at('billing'), bad).expect(400)).body).toMatchObject({ error: 'validation_error' });
    expect(
      await app.sql(`SELECT FROM audit_event WHERE type = 'billing.updated' AND organization_id = $1`, [
        project.organizationId,
      ]),
    ).toHaveLength(2);
  });

  it('shows the usage of any month, and rejects an invalid period', async () => {
    expect(await usage('?period=2025-02')).toMatchObject({ period: '2025-02', storage_mb_months: 0, upload_mb: 0 });
    expect((await usage('?period=2025-02')).days).toHaveLength(28);
    expect((await usage('?period=2099-01')).days).toEqual([]);
    for (const bad of ['2025-13', '2025', 'now'])
      expect((await ann.get(at(`usage?period=${bad}`)).expect(400)).body).toMatchObject({ error: 'validation_error' });
  });

  it('mails its billing contacts once when spending reaches a threshold', async () => {
    const build = await uploads(1 * MB);
    await setBalance(app, project.organizationId, 1_000n);
    await mintDownloadUrl(build);
    for (let n = 0; n < 6; n++) {
      const { url } = (await mintDownloadUrl(build).expect(200)).body as { url: string };
      await app.anonymous.get(new URL(url).pathname).expect(200);
    }
    // 740 are spent and 120 reserved, of 1,020.
    expect(await alerts(2)).toEqual([50, 80]);
  });

  // red when: evaluating an alert ignores what is reserved, or a reservation evaluates none
  it('mails its billing contacts when reservations reach a threshold', async () => {
    const build = await uploads(1 * MB);
    await ann.post(at('plan'), { plan: 'business' }).expect(200);
    await ann.patch(at('billing'), { spend_cap_micro_usd: 20 + 4 * 120 }).expect(200);
    await mintDownloadUrl(build).expect(200);
    expect(await alerts(0)).toEqual([]);
    await mintDownloadUrl(build).expect(200);
    expect(await alerts(1)).toEqual([50]);
    for (let n = 0; n < 2; n++) await mintDownloadUrl(build).expect(200);
    expect(await alerts(2)).toEqual([50, 100]);
    // A rejected request sends no mail.
    await mintDownloadUrl(build).expect(402);
    expect(await alerts(2)).toEqual([50, 100]);
  });

  // red when: update does not evaluate alerts, or a higher cap does not re-arm the thresholds
  it('mails its billing contacts when a lower cap reaches a threshold, and again after a higher cap', async () => {
    const build = await uploads(1 * MB);
    const caps = (spend_cap_micro_usd: number) => ann.patch(at('billing'), { spend_cap_micro_usd }).expect(200);
    await ann.post(at('plan'), { plan: 'business' }).expect(200);
    await caps(1_000);
    expect(await alerts(0)).toEqual([]);
    // 20 are spent.
    await caps(22);
    expect(await alerts(1)).toEqual([90]);
    await caps(22);
    await caps(30);
    expect(await alerts(1)).toEqual([90]);
    await caps(22);
    expect(await alerts(2)).toEqual([90, 90]);
    await caps(2_000);
    for (let n = 0; n < 9; n++) await mintDownloadUrl(build).expect(200);
    expect(await alerts(3)).toEqual([90, 90, 50]);
  });

  // red when: booking credit does not re-arm the thresholds
  it('mails its billing contacts again when a threshold is reached after a top-up', async () => {
    const build = await uploads(1 * MB);
    await setBalance(app, project.organizationId, 300n);
    for (let n = 0; n < 2; n++) await mintDownloadUrl(build).expect(200);
    expect(await alerts(1)).toEqual([80]);
    const grant = { amountMicroUsd: 400n, reference: 'gift' };
    await app.nest.get(OperatorBillingService).grantCredit(operator(app), project.organizationId, grant);
    await mintDownloadUrl(build).expect(200);
    expect(await alerts(2)).toEqual([80, 50]);
  });
});
