import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { Transactions } from '#infra/database/transactions';
import { OrganizationSchedules } from '#infra/jobs/shards/organization-schedules';
import { BillingService } from '#modules/billing';
import { BillingAccountsRepository } from '../../../src/modules/billing/accounts/billing-accounts.repository';
import { ReservationsRepository } from '../../../src/modules/billing/reservations/reservations.repository';
import { ReservationsService } from '../../../src/modules/billing/reservations/reservations.service';
import { TestApp } from '../../support/app/test-app';
import { operator } from '../../support/checks/billing-consistency';

const ALL = { shard: null, after: null, limit: 100 };

/** A job for all organizations continues with the others when the account of one cannot be updated. */
describe('an account that cannot be updated', () => {
  let app: TestApp;
  let ctx: RequestContext;

  const at = (instant: string): Promise<unknown> =>
    app.sql(`CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
             AS $$ SELECT timestamptz '${instant}' $$`);

  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    ctx = operator(app);
    await app.sql('CREATE TABLE broken (organization_id uuid NOT NULL)');
    await app.sql('GRANT SELECT ON broken TO PUBLIC');
    await app.sql(`
      CREATE FUNCTION refuse_broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT FROM broken b WHERE b.organization_id = NEW.organization_id) THEN RAISE EXCEPTION 'broken'; END IF;
        RETURN NEW;
      END $$`);
    await app.sql(
      'CREATE TRIGGER billing_account_broken BEFORE UPDATE ON billing_account FOR EACH ROW EXECUTE FUNCTION refuse_broken()',
    );
  });
  afterAll(() => app.stop());

  const openOrganization = async (): Promise<string> => {
    const organizationId = newId();
    const billing = app.nest.get(BillingService);
    await app.sql(`INSERT INTO organization (id, name, created_at) VALUES ($1, 'Acme', app_now())`, [organizationId]);
    await billing.openAccount(ctx, organizationId);
    await app.nest.get(ReservationsService).reserve(ctx, { organizationId, kind: 'upload', sizeBytes: 50_000_000 });
    const build = { organizationId, buildId: newId(), sizeBytes: 50_000_000, isHosted: true };
    await app.nest.get(Transactions).run(ctx, (tx) => billing.startStorage(tx, build));
    return organizationId;
  };

  const withoutAccrued = async (): Promise<readonly string[]> => {
    const rows = await app.sql<{ id: string }>(
      `SELECT id FROM organization o WHERE NOT EXISTS
         (SELECT FROM ledger_entry e WHERE e.organization_id = o.id AND e.kind = 'usage_storage') ORDER BY id`,
    );
    return rows.map(({ id }) => id);
  };

  // red when: the loop over organizations ends at the first failure
  it.each<[string, string, () => Promise<readonly string[]>, () => Promise<void>]>([
    [
      'expired reservations',
      '2026-11-10T01:00:00Z',
      () => app.nest.get(ReservationsRepository).findOrganizationsWithExpired(ctx),
      () => app.nest.get(ReservationsService).expireAll(ctx),
    ],
    [
      'storage charges',
      '2026-11-12T00:10:00Z',
      withoutAccrued,
      () => app.nest.get(OrganizationSchedules).runAll(ctx, 'billing.accrue-storage'),
    ],
    [
      'closing months',
      '2026-12-01T00:05:00Z',
      () => app.nest.get(BillingAccountsRepository).findWithEndedPeriod(ctx, ALL),
      () => app.nest.get(OrganizationSchedules).runAll(ctx, 'billing.close-periods'),
    ],
  ])('does not delay the job for other organizations: %s', async (_job, instant, due, run) => {
    await at('2026-11-10T00:00:00Z');
    for (let n = 0; n < 3; n += 1) await openOrganization();
    await at(instant);
    const [first = '', ...others] = await due();
    expect(others.length).toBeGreaterThanOrEqual(2);
    await app.sql('INSERT INTO broken VALUES ($1)', [first]);
    const error: unknown = await run().catch((thrown: unknown) => thrown);
    expect(await due()).toEqual([first]);
    expect(error).toMatchObject({ errors: [{ message: first, cause: { message: 'broken' } }] });
    await app.sql('DELETE FROM broken');
    await run();
    expect(await due()).toEqual([]);
  });
});
