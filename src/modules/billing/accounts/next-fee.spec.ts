import { nextFeeOf } from './billing-account';

const account = (plan: 'team' | 'business', planSince: string, planFeeMicroUsd = 30_000_000n) => ({
  plan,
  planSince: new Date(planSince),
  period: '2026-11',
  planFeeMicroUsd,
});

describe('the next fee', () => {
  it('of a prepaid plan is that of the next month, whenever the plan started', () => {
    expect(nextFeeOf(account('team', '2026-11-20T00:00:00Z'))).toBe(30_000_000n);
  });

  // red when: a plan that started within the month is charged for all of it
  it('of a postpaid plan is that of its part of this month', () => {
    expect(nextFeeOf(account('business', '2026-10-02T00:00:00Z'))).toBe(30_000_000n);
    expect(nextFeeOf(account('business', '2026-11-01T00:00:00Z'))).toBe(30_000_000n);
    expect(nextFeeOf(account('business', '2026-11-21T00:00:00Z'))).toBe(10_000_000n);
  });

  it('is 0 for a plan without a fee, and before a plan starts that a clock in doubt has dated later', () => {
    expect(nextFeeOf(account('business', '2026-11-21T00:00:00Z', 0n))).toBe(0n);
    expect(nextFeeOf(account('business', '2026-12-21T00:00:00Z'))).toBe(0n);
  });
});
