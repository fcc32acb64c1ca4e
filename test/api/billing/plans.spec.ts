import { randomUUID } from 'node:crypto';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Transactions } from '#infra/database/transactions';
import { BillingService } from '#modules/billing';
import { type Developer, type OrganizationRef } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

describe('the plan of an organization', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  /** Organizations for which the handler rejects the change, as for one with channels or its own storage account. */
  let dependents: Set<string>;

  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    dependents = new Set();
    app.nest.get(BillingService).planChange.add((_ctx, { organizationId, to }) => {
      if (to !== 'team' || !dependents.has(organizationId)) return Promise.resolve();
      throw new AppError('dependency_exists', { message: 'The organization has channels.' });
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

  it('changes immediately, and each change is recorded once', async () => {
    expect((await change('business').expect(200)).body).toMatchObject({ plan: 'business', mode: 'postpaid' });
    expect(await planOf()).toBe('business');
    expect((await change('business').expect(200)).body).toMatchObject({ plan: 'business' });
    expect((await change('team').expect(200)).body).toMatchObject({ plan: 'team', mode: 'prepaid' });
    expect((await events()).map(({ payload }) => payload)).toEqual([
      { plan: 'business', previous: 'team' },
      { plan: 'team', previous: 'business' },
    ]);
  });

  it('cannot become enterprise, which is not available, or an unknown plan', async () => {
    expect((await change('enterprise').expect(400)).body).toMatchObject({ error: 'operation_not_allowed' });
    expect((await change('free').expect(400)).body).toMatchObject({ error: 'validation_error' });
    expect(await planOf()).toBe('team');
  });

  it('can be changed with the BILLING role, and not with the MANAGER role', async () => {
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

  // red when: the handlers of planChange are not run
  it('does not change while a handler of planChange rejects the change', async () => {
    await change('business').expect(200);
    dependents.add(organization.id);
    expect((await change('team').expect(409)).body).toMatchObject({ error: 'dependency_exists' });
    expect(await planOf()).toBe('business');
    dependents.delete(organization.id);
    await change('team').expect(200);
  });

  it('is checked by requirePlan, which names the required plan in its error', async () => {
    await expect(requireBusiness(system())).rejects.toMatchObject({
      errorCase: 'operation_not_allowed',
      details: { required_plan: 'business' },
    });
    await change('business').expect(200);
    await requireBusiness(system());
  });

  // red when: requirePlan does not lock the plan, or the change does not lock it
  it('does not change during a transaction that called requirePlan', async () => {
    const transactions = app.nest.get(Transactions);
    for (let round = 0; round < 10; round++) {
      await change('business').expect(200);
      const dependent = transactions.run(system(), async (tx) => {
        await requireBusiness(tx);
        await new Promise((resolve) => setTimeout(resolve, 20));
        dependents.add(organization.id);
      });
      const [committed, changed] = await Promise.all([
        dependent.then(
          () => true,
          () => false,
        ),
        change('team'),
      ]);
      expect([changed.status, committed]).toEqual(committed ? [409, true] : [200, false]);
      dependents.clear();
    }
  });
});
