import { randomBytes } from 'node:crypto';
import { BillingService } from '#modules/billing';
import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../../support/actors/actors';
import { newBucket, ON_THIS_MACHINE, putByosa, s3Settings } from '../../support/actors/byosa';
import { TestApp } from '../../support/app/test-app';
import { setBalance } from '../../support/checks/billing-consistency';

const MB = 1_000_000;
const FILE = { bytes: randomBytes(3 * MB), fileName: 'Demo.dmg' };
const MAC = { platform: 'macos', version: '1.0' };

/** An installation that serves its own people has no plans to buy and no credit to run out of. */
describe('a service with BILLING=off', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;

  beforeAll(async () => {
    app = await TestApp.start({ environment: { ...ON_THIS_MACHINE, BILLING: 'off' } });
    ann = await app.developer();
  });
  beforeEach(async () => {
    organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
  });
  afterAll(() => app.stop());

  const account = async (): Promise<Record<string, unknown>> =>
    (await ann.get(`/organizations/${organization.id}/billing`).expect(200)).body as Record<string, unknown>;
  const downloads = async (id: string): Promise<void> => {
    const { body } = await ann.post(`/builds/${id}/download-url?${scope(project)}`).expect(200);
    await app.anonymous.get(new URL((body as { url: string }).url).pathname).expect(200);
  };
  const kinds = async (): Promise<unknown[]> =>
    (
      await app.sql(`SELECT DISTINCT kind FROM ledger_entry WHERE organization_id = $1 AND amount_micro_usd <> 0`, [
        organization.id,
      ])
    ).map(({ kind }) => kind);

  it('offers plans without fees, each with every feature', async () => {
    const { body } = await app.anonymous.get('/api/v1/service').expect(200);
    const offer = { fee_micro_usd: 0, features: ['channels', 'own_storage'] };
    expect(body).toMatchObject({
      billing: 'off',
      plans: [
        { plan: 'team', ...offer },
        { plan: 'business', ...offer },
      ],
      prices: { storage_mb_month_micro_usd: 0, upload_mb_micro_usd: 0, download_mb_micro_usd: 0 },
    });
  });

  // red when: requirePlan checks the plan
  it('has channels, releases and own storage without a plan', async () => {
    const build = await ann.uploads(project, FILE, MAC);
    const channel = await ann.createsChannel(project);
    await ann.promotes(project, channel, build);
    await ann.uploads(project, FILE, { ...MAC, channel_id: channel.id });
    await putByosa(ann, organization, { s3: s3Settings(await newBucket(app)) }).expect(200);
    expect(await account()).toMatchObject({ plan: 'team' });
    await app.nest.get(BillingService).requirePlan(app.systemContext, organization.id, 'business');
  });

  // red when: a transfer is charged, or admitted by the balance
  it('admits uploads and downloads without credit, charges nothing, and counts them exactly', async () => {
    await setBalance(app, organization.id, -5_000_000n);
    const build = await ann.uploads(project, FILE, MAC);
    for (let n = 0; n < 2; n++) await downloads(build.id);
    expect(await account()).toMatchObject({
      balance_micro_usd: -5_000_000,
      spent_micro_usd: 0,
      reserved_micro_usd: 0,
      available_micro_usd: null,
      plan_fee_micro_usd: 0,
      metered: true,
      prices: { storage_mb_month_micro_usd: 0, upload_mb_micro_usd: 0, download_mb_micro_usd: 0 },
    });
    const { body } = await ann.get(`/organizations/${organization.id}/usage`).expect(200);
    expect(body).toMatchObject({ upload_mb: 3, download_mb: 6, total_micro_usd: 0 });
  });

  // red when: a fee is charged, or the trial credits one that was not
  it('charges no fee, in this month or the next, on any plan', async () => {
    expect(await account()).toMatchObject({ balance_micro_usd: 5_000_000 });
    const second = await ann.createsOrganization();
    await ann.changesPlan(second, 'business');
    await ann.changesPlan(organization, 'business');
    await ann.changesPlan(organization, 'team');
    expect(await account()).toMatchObject({ balance_micro_usd: 5_000_000, spend_cap_micro_usd: null });
    await ann.uploads(project, FILE, MAC);
    await app.clock.advance({ days: 35 });
    await app.runsJob('billing.warn-of-fees');
    await app.runsJob('billing.close-periods');
    await app.runsJob('billing.accrue-storage');
    expect(await kinds()).toEqual(['trial_credit']);
    const [{ stored } = { stored: '0' }] = await app.sql<{ stored: string }>(
      `SELECT sum(quantity) AS stored FROM ledger_entry WHERE organization_id = $1 AND kind = 'usage_storage'`,
      [organization.id],
    );
    // 3 MB for more than 34 days, in bytes times milliseconds.
    expect(Number(stored)).toBeGreaterThan(3 * MB * 34 * 86_400_000);
    const mails = (await app.mailbox.all(ann.email)).map(({ subject }) => subject);
    expect(mails.filter((subject) => /credit|can no longer|budget/.test(subject ?? ''))).toEqual([]);
  });
});

describe('a spend cap with BILLING=off', () => {
  let app: TestApp;
  let ann: Developer;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { BILLING: 'off' }, worker: false });
    ann = await app.unverifiedDeveloper();
    await app.sql('UPDATE developer SET email_verified_at = now()');
  });
  afterAll(() => app.stop());

  it('is rejected, because it would have no effect, and names no plan', async () => {
    const organization = await ann.createsOrganization();
    const patch = () => ann.patch(`/organizations/${organization.id}/billing`, { spend_cap_micro_usd: 1 }).expect(400);
    for (const plan of ['team', 'business'] as const) {
      await ann.changesPlan(organization, plan);
      const { body } = await patch();
      expect(body).toMatchObject({ error: 'operation_not_allowed' });
      expect(body).not.toHaveProperty('details.required_plan');
    }
  });

  it('does not prevent the deletion of an organization that owed money before', async () => {
    const organization = await ann.createsOrganization();
    await setBalance(app, organization.id, -5_000_000n);
    await ann.delete(`/organizations/${organization.id}`).expect(204);
  });
});

/** Billing can be switched off and on again with an existing database. */
describe('a service whose billing is switched', () => {
  it('counts usage across the switch, and charges only while it is metered', async () => {
    const metered = await TestApp.start();
    try {
      const ann = await metered.developer();
      const organization = await ann.createsOrganization();
      const project = await ann.createsProject(organization);
      await ann.uploads(project, FILE, MAC);
      const off = await TestApp.start({ beside: metered, environment: { BILLING: 'off' }, worker: false });
      try {
        const bearer = off.ci(ann.token);
        await bearer.upload(project, FILE, MAC).expect(201);
      } finally {
        await off.stop();
      }
      const { body } = await ann.get(`/organizations/${organization.id}/usage`).expect(200);
      expect(body).toMatchObject({ upload_mb: 6, upload_micro_usd: 60 });
      const { body: account } = await ann.get(`/organizations/${organization.id}/billing`).expect(200);
      expect(account).toMatchObject({ balance_micro_usd: 5_000_000 - 60, spent_micro_usd: 60 });
    } finally {
      await metered.stop();
    }
  });
});
