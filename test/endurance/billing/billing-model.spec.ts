import fc from 'fast-check';
import { Client } from 'pg';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { OrganizationSchedules } from '#infra/jobs/shards/organization-schedules';
import { BillingService, OperatorBillingService } from '#modules/billing';
import { ReservationsService } from '../../../src/modules/billing/reservations/reservations.service';
import { TestApp } from '../../support/app/test-app';
import { faultsOf, operator } from '../../support/checks/billing-consistency';

/** Set BILLING_RUNS=300 for a long run. */
const RUNS = Number(process.env['BILLING_RUNS'] ?? 20);
const STEPS = 50;
const START = Date.UTC(2026, 10, 1);
const MINUTE = 60_000n;
const PRICE = { upload: 20n, download: 120n } as const;
const FEE = { team: 5_000_000n, business: 100_000_000n } as const;

type Kind = keyof typeof PRICE;
type Plan = keyof typeof FEE;
type Step =
  | { readonly do: 'grant'; readonly amount: bigint }
  | { readonly do: 'reserve'; readonly kind: Kind; readonly bytes: number }
  | { readonly do: 'settle'; readonly which: number; readonly share: 'none' | 'part' | 'all' | 'more' }
  | { readonly do: 'release' | 'extend'; readonly which: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'expire' | 'close' }
  | { readonly do: 'plan'; readonly plan: Plan }
  | { readonly do: 'cap'; readonly cap: bigint | null };

const up = (numerator: bigint, denominator: bigint): bigint =>
  numerator / denominator + (numerator % denominator === 0n ? 0n : 1n);
const costOf = (kind: Kind, bytes: number): bigint => up(BigInt(bytes) * PRICE[kind], 1_000_000n);

interface Held {
  readonly kind: Kind;
  readonly bytes: number;
  readonly amount: bigint;
  id: string;
  expires: bigint;
  state: 'active' | 'expired' | 'done';
}

/** The rules of a billing account in whole numbers, for one caller at a time. */
class Model {
  now = BigInt(START);
  balance = 5_000_000n;
  cap: bigint | null = null;
  plan: Plan = 'team';
  private since = BigInt(START);
  private month = 0;
  private fees = 5_000_000n;
  private readonly spent = new Map<number, bigint>();
  readonly held: Held[] = [];

  private monthOf(instant: bigint): number {
    const date = new Date(Number(instant));
    return (date.getUTCFullYear() - 2026) * 12 + date.getUTCMonth() - 10;
  }
  private startOf(month: number): bigint {
    return BigInt(Date.UTC(2026, 10 + month, 1));
  }

  get spentNow(): bigint {
    return this.spent.get(this.monthOf(this.now)) ?? 0n;
  }
  /** The sum of the reservations that have not expired. */
  get open(): bigint {
    return this.sum(({ state, expires }) => state === 'active' && expires > this.now);
  }
  private sum(of: (held: Held) => boolean): bigint {
    return this.held.filter(of).reduce((sum, { amount }) => sum + amount, 0n);
  }

  fits(amount: bigint, reserved: bigint): boolean {
    if (amount === 0n) return true;
    if (this.plan === 'team') return amount <= this.balance - reserved;
    return this.cap === null || amount <= this.cap - this.spentNow - reserved;
  }

  /** A rejected reservation rolls back the expiry of others. */
  reserve(kind: Kind, bytes: number): Held | null {
    const amount = costOf(kind, bytes);
    if (
      !this.fits(
        amount,
        this.sum(({ state }) => state === 'active'),
      )
    ) {
      if (!this.fits(amount, this.open)) return null;
      this.expire();
    }
    const held: Held = { kind, bytes, amount, id: '', expires: this.now + 30n * MINUTE, state: 'active' };
    this.held.push(held);
    return held;
  }

  expire(): void {
    for (const held of this.held) if (held.state === 'active' && held.expires <= this.now) held.state = 'expired';
  }

  settle(held: Held, bytes: number): boolean {
    if (held.state === 'done') return false;
    held.state = 'done';
    const cost = costOf(held.kind, bytes);
    this.balance -= cost;
    this.spent.set(this.monthOf(this.now), this.spentNow + cost);
    return true;
  }

  release(held: Held): boolean {
    if (held.state !== 'active') return false;
    held.state = 'done';
    return true;
  }

  extend(held: Held): boolean {
    if (held.state !== 'active' || held.expires <= this.now) return false;
    held.expires = this.now + 30n * MINUTE;
    return true;
  }

  private part(plan: Plan, from: bigint, to: bigint): bigint {
    const [start, end] = [this.startOf(this.month), this.startOf(this.month + 1)];
    return up(FEE[plan] * (to - from), end - start);
  }
  private charge(fee: bigint): void {
    this.balance -= fee;
    this.fees += fee;
  }
  /** In the first month, the trial balances each charge and each refund. */
  private chargeTeam(fee: bigint): void {
    this.charge(fee);
    if (this.month === 0) this.balance += fee;
  }
  private endFee(until: bigint): void {
    const from = this.since > this.startOf(this.month) ? this.since : this.startOf(this.month);
    if (this.plan === 'business') return this.charge(this.part('business', from, until));
    const unused = this.part('team', from, this.startOf(this.month + 1)) - this.part('team', from, until);
    const paid = this.fees > 0n ? this.fees : 0n;
    this.chargeTeam(-(unused < paid ? unused : paid));
  }
  private beginFee(from: bigint): void {
    if (this.plan === 'team') this.chargeTeam(this.part('team', from, this.startOf(this.month + 1)));
  }

  close(): void {
    while (this.month < this.monthOf(this.now)) {
      if (this.plan === 'business') this.endFee(this.startOf(this.month + 1));
      this.month += 1;
      this.fees = 0n;
      this.beginFee(this.startOf(this.month));
    }
  }

  change(plan: Plan): void {
    if (plan === this.plan) return;
    this.close();
    this.endFee(this.now);
    this.plan = plan;
    this.cap = plan === 'business' ? 100_000_000n : null;
    this.since = this.now;
    this.beginFee(this.now);
  }
}

const bytes = fc.oneof(
  fc.constantFrom(0, 1, 49_999, 50_000, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 2 ** 40),
  fc.nat(10 ** 11),
);
const which = fc.nat(1000);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('grant' as const), amount: fc.bigInt({ min: 1n, max: 50_000_000n }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      kind: fc.constantFrom<Kind>('upload', 'download'),
      bytes,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      which,
      share: fc.constantFrom('none' as const, 'part' as const, 'all' as const, 'more' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('release' as const, 'extend' as const), which }) },
  {
    weight: 4,
    // Up to an hour, half an hour exactly and around it, some days, more than a month.
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.oneof(
        fc.constantFrom(1_799_999, 1_800_000, 1_800_001),
        fc.nat(3_600_000),
        fc.nat(10 ** 9),
        fc.nat(3 * 10 ** 9),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('expire' as const, 'close' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('plan' as const), plan: fc.constantFrom<Plan>('team', 'business') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('cap' as const), cap: fc.option(fc.bigInt({ min: 0n, max: 20_000_000n })) }),
  },
);

describe('a billing account', () => {
  let app: TestApp;
  let clock: Client;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    clock = new Client({ connectionString: app.database.ownerUrl });
    await clock.connect();
  });
  afterAll(async () => {
    await clock.end();
    await app.stop();
  });

  const setClock = (now: bigint): Promise<unknown> =>
    clock.query(`CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
                 AS $$ SELECT timestamptz '${new Date(Number(now)).toISOString()}' $$`);

  /** Closes all ended months. A run of the schedule closes three. */
  const closeMonths = async (now: bigint): Promise<void> => {
    const months = Math.ceil((Number(now) - START) / (28 * 86_400_000));
    for (let closed = 0; closed <= months; closed += 3)
      await app.nest.get(OrganizationSchedules).runAll(operator(app), 'billing.close-periods');
  };

  /** Applies a step to the model and to the service, and compares the results. */
  const perform = async (model: Model, organizationId: string, action: Step): Promise<void> => {
    const ctx = operator(app);
    const billing = app.nest.get(BillingService);
    const operations = app.nest.get(OperatorBillingService);
    const held = 'which' in action ? model.held[action.which % Math.max(model.held.length, 1)] : undefined;
    switch (action.do) {
      case 'grant':
        model.balance += action.amount;
        await operations.grantCredit(ctx, organizationId, { amountMicroUsd: action.amount, reference: newId() });
        return;
      case 'reserve': {
        const expected = model.reserve(action.kind, action.bytes);
        const outcome = await billing
          .reserve(ctx, { organizationId, kind: action.kind, sizeBytes: action.bytes })
          .catch((error: unknown) => {
            if (error instanceof AppError) return error.errorCase;
            throw error;
          });
        if (expected && typeof outcome !== 'string') {
          expected.id = outcome.id;
          return;
        }
        expect(outcome).toBe(expected ?? (model.plan === 'team' ? 'prepaid_credit_exhausted' : 'spend_cap_exceeded'));
        return;
      }
      case 'settle': {
        if (!held) return;
        const taken = { none: 0, part: Math.floor(held.bytes / 2), all: held.bytes, more: held.bytes + 777_777 }[
          action.share
        ];
        expect(await billing.settle(ctx, held.id, taken)).toBe(model.settle(held, taken));
        return;
      }
      case 'release':
        if (held) expect(await billing.release(ctx, held.id)).toBe(model.release(held));
        return;
      case 'extend':
        if (held) expect(await billing.extend(ctx, held.id)).toBe(model.extend(held));
        return;
      case 'wait':
        model.now += BigInt(action.ms);
        await setClock(model.now);
        return;
      case 'expire':
        model.expire();
        await app.nest.get(ReservationsService).expireAll(ctx);
        return;
      case 'close':
        model.close();
        await closeMonths(model.now);
        return;
      case 'plan':
        // A change of plan is rejected while more than three months are open.
        model.close();
        await closeMonths(model.now);
        model.change(action.plan);
        await operations.setPlan(ctx, organizationId, action.plan);
        return;
      case 'cap':
        if (model.plan === 'team' && action.cap !== null) {
          await expect(operations.setSpendCap(ctx, organizationId, action.cap)).rejects.toMatchObject({
            errorCase: 'operation_not_allowed',
          });
          return;
        }
        model.cap = action.cap;
        await operations.setSpendCap(ctx, organizationId, action.cap);
    }
  };

  // red when: the service books any amount by another rule than the model
  it(
    `equals the model after each of ${STEPS} random steps, in ${RUNS} runs`,
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS, size: 'max' }), async (steps) => {
          const model = new Model();
          await setClock(model.now);
          const organizationId = newId();
          await app.sql(`INSERT INTO organization (id, name, created_at) VALUES ($1, 'Acme', app_now())`, [
            organizationId,
          ]);
          await app.nest.get(BillingService).openAccount(operator(app), organizationId);
          for (const action of steps) {
            await perform(model, organizationId, action);
            const view = await app.nest.get(OperatorBillingService).show(operator(app), organizationId);
            expect({
              balance: view.balanceMicroUsd,
              open: view.openMicroUsd,
              spent: view.spentMicroUsd,
              plan: view.plan,
            }).toEqual({
              balance: model.balance,
              open: model.open,
              spent: model.spentNow,
              plan: model.plan,
            });
          }
          expect(await faultsOf(app)).toEqual([]);
          // Otherwise the next run would close the months of this organization, too.
          await app.sql(`DELETE FROM organization WHERE id = $1`, [organizationId]);
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
    60_000 + RUNS * 5_000,
  );
});
