import { randomBytes } from 'node:crypto';
import { OperatorBillingService } from '#modules/billing';
import { type Developer, type OrganizationRef, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { operator, setBalance } from '../../support/checks/billing-consistency';

const DEFAULT_CAP = 7_000_000;
const MB = 1_000_000;

/** A postpaid organization without a limit could use any amount, and then be deleted. */
describe('a postpaid organization', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;

  beforeAll(async () => {
    app = await TestApp.start({ environment: { BUSINESS_DEFAULT_SPEND_CAP_MICRO_USD: String(DEFAULT_CAP) } });
    await app.clock.advanceToFifth();
    ann = await app.developer();
  });
  beforeEach(async () => {
    organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
  });
  afterAll(() => app.stop());

  const billing = (): OperatorBillingService => app.nest.get(OperatorBillingService);
  const patch = (cap: number | null) =>
    ann.patch(`/organizations/${organization.id}/billing`, { spend_cap_micro_usd: cap });
  const capOf = async (): Promise<unknown> =>
    ((await ann.get(`/organizations/${organization.id}/billing`).expect(200)).body as { spend_cap_micro_usd: unknown })
      .spend_cap_micro_usd;
  const remove = () => ann.delete(`/organizations/${organization.id}`);

  // red when: the change of plan sets no cap
  it('has the default spend cap from the change of plan on, and none on the prepaid plan', async () => {
    expect(await capOf()).toBe(DEFAULT_CAP);
    await ann.changesPlan(organization, 'team');
    expect(await capOf()).toBeNull();
  });

  // red when: update does not check who sets the cap
  it('can set a lower cap, and the default again, but can neither exceed nor remove the default', async () => {
    await patch(1_000_000).expect(200);
    await patch(DEFAULT_CAP).expect(200);
    for (const cap of [DEFAULT_CAP + 1, null]) {
      expect((await patch(cap).expect(400)).body).toMatchObject({
        error: 'operation_not_allowed',
        details: { reason: 'spend_cap_above_limit', limit_micro_usd: DEFAULT_CAP },
      });
    }
    expect(await capOf()).toBe(DEFAULT_CAP);
  });

  it('keeps a cap that an operator granted until its members lower it', async () => {
    await billing().setSpendCap(operator(app), organization.id, 50_000_000n);
    await patch(40_000_000).expect(200);
    expect((await patch(45_000_000).expect(400)).body).toMatchObject({ error: 'operation_not_allowed' });
    await billing().setSpendCap(operator(app), organization.id, null);
    expect(await capOf()).toBeNull();
    // Removing a cap that does not exist changes nothing; setting one is a restriction.
    await patch(null).expect(200);
    await patch(60_000_000).expect(200);
  });

  it('without a cap, from before caps were set or by an operator, is listed', async () => {
    await billing().setSpendCap(operator(app), organization.id, null);
    expect(await billing().findWithoutCap(operator(app))).toContain(organization.id);
    await patch(1).expect(200);
    expect(await billing().findWithoutCap(operator(app))).not.toContain(organization.id);
  });

  // red when: the deletion does not check the balance
  it('cannot be deleted while it owes money, and nothing is changed', async () => {
    const project = await ann.createsProject(organization);
    const file = { bytes: randomBytes(MB), fileName: 'Demo.dmg' };
    const build = await ann.uploads(project, file, { platform: 'macos', version: '1.0' });
    await setBalance(app, organization.id, -3_000_000n);
    // The first rejection is because of the project.
    expect((await remove().expect(409)).body).not.toMatchObject({ details: { reason: 'balance_owed' } });
    await ann.delete(`/builds/${build.id}?${scope(project)}&permanently=true`).expect(204);
    await ann.delete(`/projects/${project.id}?organization_id=${organization.id}`).expect(204);
    const before = await app.sql('SELECT * FROM billing_account WHERE organization_id = $1', [organization.id]);
    const { body } = await remove().expect(409);
    expect(body).toMatchObject({ error: 'dependency_exists', details: { reason: 'balance_owed' } });
    // The fee of the month so far is owed, too.
    expect((body as { details: { owed_micro_usd: number } }).details.owed_micro_usd).toBeGreaterThan(3_000_000);
    expect(await app.sql('SELECT * FROM billing_account WHERE organization_id = $1', [organization.id])).toEqual(
      before,
    );
    await setBalance(app, organization.id, 5_000_000n);
    await remove().expect(204);
  });

  // red when: the fee of the current month is not part of the debt
  it('cannot avoid the fee of the month by its deletion', async () => {
    await setBalance(app, organization.id, 0n);
    await app.sql(
      `UPDATE billing_account SET plan_since = plan_since - interval '2 hours' WHERE organization_id = $1`,
      [organization.id],
    );
    expect((await remove().expect(409)).body).toMatchObject({ details: { reason: 'balance_owed' } });
  });

  it('can be deleted when it owes less than a cent', async () => {
    await setBalance(app, organization.id, -5_000n);
    await remove().expect(204);
  });
});
