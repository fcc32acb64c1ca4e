import { Pool } from 'pg';
import { newId } from '#kernel/ids';
import { OrganizationSchedules } from '#infra/jobs/shards/organization-schedules';
import { BillingService } from '#modules/billing';
import { BillingChecksRepository } from '../../../src/modules/billing/accounts/billing-checks.repository';
import { BillingFaults } from '../../../src/modules/billing/accounts/billing-faults';
import { TestApp } from '../../support/app/test-app';
import { faultsOf, operator, setBalance } from '../../support/checks/billing-consistency';
import { plansOf, rowsRead } from '../../support/checks/statement-plans';

const DAY_MS = 86_400_000;
const MESSAGE = 'The billing records of an organization are inconsistent';

/** A row of the ledger is changed as only the owner of the tables can, behind the triggers that reject it. */
describe('the nightly check of money', () => {
  let app: TestApp;
  let owner: Pool;
  let organizationId: string;

  const at = (instant: string): Promise<unknown> =>
    app.sql(`CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
             AS $$ SELECT timestamptz '${instant}' $$; UPDATE clock_mark SET seen_at = '${instant}'`);
  const runs = (name: string): Promise<void> => app.nest.get(OrganizationSchedules).runAll(operator(app), name);
  /** The faults that the nightly check logs. */
  const checks = async (): Promise<object[]> => {
    app.logLines.length = 0;
    await runs('billing.check');
    return app.logLines
      .filter((line) => line.includes(MESSAGE))
      .map((line) => (JSON.parse(line) as { fault: object }).fault);
  };
  const tamper = async (statement: string, ...values: unknown[]): Promise<void> => {
    const client = await owner.connect();
    try {
      await client.query('BEGIN; SET LOCAL session_replication_role = replica');
      await client.query(statement, values);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  };
  const entryOf = (period: string): Promise<void> =>
    tamper(
      `UPDATE ledger_entry SET amount_micro_usd = amount_micro_usd + 7 WHERE id = (
         SELECT id FROM ledger_entry WHERE organization_id = $1 AND period = $2 ORDER BY id LIMIT 1)`,
      organizationId,
      period,
    );
  const repair = (period: string): Promise<void> =>
    tamper(
      `UPDATE ledger_entry SET amount_micro_usd = amount_micro_usd - 7 WHERE id = (
         SELECT id FROM ledger_entry WHERE organization_id = $1 AND period = $2 ORDER BY id LIMIT 1)`,
      organizationId,
      period,
    );

  beforeEach(async () => {
    app = await TestApp.start({ worker: false });
    owner = new Pool({ connectionString: app.database.ownerUrl });
    await at('2026-11-10T00:00:00Z');
    organizationId = newId();
    await app.sql(`INSERT INTO organization (id, name, created_at) VALUES ($1, 'Acme', app_now())`, [organizationId]);
    await app.nest.get(BillingService).openAccount(operator(app), organizationId);
    await setBalance(app, organizationId, 100_000_000n);
    for (const month of ['2026-12', '2027-01']) {
      await at(`${month}-01T00:05:00Z`);
      await runs('billing.close-periods');
    }
    await at('2027-01-10T02:40:00Z');
  });
  afterEach(async () => {
    await owner.end();
    await app.stop();
  });

  it('finds nothing in sound books, and marks the closed months as verified', async () => {
    expect(await checks()).toEqual([]);
    expect(await faultsOf(app)).toEqual([]);
    expect(await app.sql('SELECT verified_period FROM billing_check')).toEqual([{ verified_period: '2026-12' }]);
  });

  // red when: a month counts with its entries although its statement says otherwise, or its mark is set all the same
  it('finds a changed entry of a closed month that is not verified yet, every night until it is repaired', async () => {
    await entryOf('2026-11');
    const fault = { organizationId, rule: 'statement', period: '2026-11' };
    expect(await checks()).toEqual([expect.objectContaining(fault)]);
    expect(await checks()).toEqual([expect.objectContaining(fault)]);
    await repair('2026-11');
    expect(await checks()).toEqual([]);
    expect(await app.sql('SELECT verified_period FROM billing_check')).toEqual([{ verified_period: '2026-12' }]);
  });

  // red when: closed months are never verified a second time; an operator's check trusts the marks
  it('finds a changed entry of a verified month within 28 nights, and the check of an operator immediately', async () => {
    expect(await checks()).toEqual([]);
    await entryOf('2026-12');
    const fault = expect.objectContaining({ organizationId, rule: 'statement', period: '2026-12' }) as object;
    expect(await faultsOf(app)).toEqual([fault]);
    const found: object[] = [];
    let nights = 0;
    for (; found.length === 0 && nights < 40; nights += 1) {
      await at(new Date(Date.parse('2027-01-10T02:40:00Z') + nights * DAY_MS).toISOString());
      found.push(...(await checks()));
    }
    expect(found).toEqual([fault]);
    expect(nights).toBeLessThanOrEqual(29);
    await repair('2026-12');
  });

  // red when: a start in the future, which a wrong clock has set, puts off the verification until then
  it('verifies all months again when the clock was wrong at the last verification', async () => {
    expect(await checks()).toEqual([]);
    await app.sql(`UPDATE billing_check SET started_at = '2037-01-01'`);
    await entryOf('2026-11');
    expect(await checks()).toEqual([expect.objectContaining({ rule: 'statement', period: '2026-11' })]);
    await repair('2026-11');
  });

  // red when: only closed months are compared
  it('finds a changed entry of an open month, and a changed balance, in the next night', async () => {
    expect(await checks()).toEqual([]);
    await entryOf('2027-01');
    expect(await checks()).toEqual([expect.objectContaining({ organizationId, rule: 'balance' })]);
    await repair('2027-01');
    await app.sql('UPDATE billing_account SET balance_micro_usd = balance_micro_usd + 1');
    expect(await checks()).toEqual([expect.objectContaining({ organizationId, rule: 'balance' })]);
    await app.sql('UPDATE billing_account SET balance_micro_usd = balance_micro_usd - 1');
  });

  // red when: entries count only in the month of a statement
  it('finds an entry of a month without a statement', async () => {
    await tamper(
      `INSERT INTO ledger_entry (id, organization_id, kind, amount_micro_usd, period, reference, created_at)
       VALUES ($2, $1, 'grant', 5, '2026-10', 'hidden', '2026-11-02')`,
      organizationId,
      newId(),
    );
    expect(await faultsOf(app)).toEqual([expect.objectContaining({ organizationId, rule: 'statement' })]);
    await tamper(`DELETE FROM ledger_entry WHERE reference = 'hidden'`);
  });

  // red when: the nightly check reads the entries of closed months, or a statement is not served by an index
  it('reads only the entries of open months every night, and of closed months those that are asked for', async () => {
    await tamper(
      `INSERT INTO ledger_entry (id, organization_id, kind, amount_micro_usd, period, reference, created_at)
       SELECT gen_random_uuid(), $1, 'grant', CASE n % 2 WHEN 0 THEN 1 ELSE -1 END, '2026-' || (11 + n % 4 / 2), 'n' || n, now()
       FROM generate_series(0, 39999) AS n`,
      organizationId,
    );
    await app.sql('ANALYZE ledger_entry');
    const night = await plansOf(app, (tx) => app.nest.get(BillingFaults).ofAccount(tx, organizationId));
    expect(night.reduce((sum, plan) => sum + rowsRead(plan), 0)).toBeLessThan(100);
    const [month] = await plansOf(app, (tx) => app.nest.get(BillingChecksRepository).months(tx, organizationId, '', 1));
    expect(rowsRead(month!)).toBeLessThan(21_000);
    expect(await checks()).toEqual([]);
  });
});
