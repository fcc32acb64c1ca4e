import { randomUUID } from 'node:crypto';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { BillingService } from '#modules/billing';
import { Transactions } from '#infra/database/transactions';
import { type Developer, type OrganizationRef } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { verifiedDeveloper } from '../../support/actors/tenant';

describe('POST /organizations/{organization_id}/plan (contract §5)', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  /** What the guard counts: as channels or an own store would be. */
  let dependents: Set<string>;

  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    dependents = new Set();
    app.nest.get(BillingService).onPlanChange((_ctx, { organizationId, to }) => {
      if (to !== 'team' || !dependents.has(organizationId)) return Promise.resolve();
      throw new AppError('dependency_exists', { message: 'It has channels.' });
    });
  });
  beforeEach(async () => {
    organization = await ann.createsOrganization();
  });
  afterAll(() => app.stop());

  const change = (plan: string, by = ann) => by.post(`/organizations/${organization.id}/plan`, { plan });
  const planOf = async (): Promise<unknown> =>
    ((await ann.get(`/organizations/${organization.id}`).expect(200)).body as { plan: string }).plan;
  const events = () =>
    app.sql(`SELECT payload FROM audit_event WHERE type = 'billing.plan_changed' AND organization_id = $1`, [
      organization.id,
    ]);
  const system = (): RequestContext => ({
    requestId: randomUUID(),
    sourceIp: null,
    identity: { kind: 'system', name: 'test' },
    clock: app.clock,
  });
  const requireBusiness = (ctx: RequestContext): Promise<void> =>
    app.nest.get(BillingService).requirePlan(ctx, organization.id, 'business');

  it('changes it at once, and records it once', async () => {
    expect((await change('business').expect(200)).body).toMatchObject({ plan: 'business', mode: 'postpaid' });
    expect(await planOf()).toBe('business');
    expect((await change('business').expect(200)).body).toMatchObject({ plan: 'business' });
    expect((await change('team').expect(200)).body).toMatchObject({ plan: 'team', mode: 'prepaid' });
    expect((await events()).map(({ payload }) => payload)).toEqual([
      { plan: 'business', previous: 'team' },
      { plan: 'team', previous: 'business' },
    ]);
  });

  it('refuses enterprise, which is announced, and what is no plan', async () => {
    expect((await change('enterprise').expect(400)).body).toMatchObject({ error: 'operation_not_allowed' });
    expect((await change('free').expect(400)).body).toMatchObject({ error: 'validation_error' });
    expect(await planOf()).toBe('team');
  });

  it('is for BILLING and ADMIN', async () => {
    const eve = await verifiedDeveloper(app);
    const joins = (role: string) =>
      app.sql(
        `INSERT INTO membership VALUES ($1, $2, ARRAY[$3], now()) ON CONFLICT (organization_id, developer_id) DO UPDATE SET roles = ARRAY[$3]`,
        [organization.id, eve.id, role],
      );
    await joins('MANAGER');
    expect((await change('business', eve).expect(403)).body).toMatchObject({
      error: 'insufficient_role',
      details: { required_role: 'BILLING' },
    });
    await joins('BILLING');
    await change('business', eve).expect(200);
  });

  // red when: the guards are not asked
  it('leaves business only when nobody objects', async () => {
    await change('business').expect(200);
    dependents.add(organization.id);
    expect((await change('team').expect(409)).body).toMatchObject({ error: 'dependency_exists' });
    expect(await planOf()).toBe('business');
    dependents.delete(organization.id);
    await change('team').expect(200);
  });

  it('names the plan that is required', async () => {
    await expect(requireBusiness(system())).rejects.toMatchObject({
      errorCase: 'operation_not_allowed',
      details: { required_plan: 'business' },
    });
    await change('business').expect(200);
    await requireBusiness(system());
  });

  // red when: `require` does not keep the plan, or `change` does not lock it
  it('what begins on business is seen by the guard, however the two meet', async () => {
    const transactions = app.nest.get(Transactions);
    for (let round = 0; round < 10; round++) {
      await change('business').expect(200);
      const begin = transactions.run(system(), async (tx) => {
        await requireBusiness(tx);
        await new Promise((resolve) => setTimeout(resolve, 20));
        dependents.add(organization.id);
      });
      const [begun, changed] = await Promise.all([
        begin.then(
          () => true,
          () => false,
        ),
        change('team'),
      ]);
      expect([changed.status, begun]).toEqual(begun ? [409, true] : [200, false]);
      dependents.clear();
    }
  });
});
