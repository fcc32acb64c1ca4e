import { forecast } from './forecast';

const USD = 1_000_000;
const NOW = new Date('2026-11-22T12:00:00Z');

const prepaid = (left: number, spent: number, fee = 0) => ({
  mode: 'prepaid' as const,
  plan_fee_micro_usd: fee,
  balance_micro_usd: left,
  spent_micro_usd: spent,
  spend_cap_micro_usd: null,
  available_micro_usd: left,
});
const postpaid = (cap: number | null, spent: number) => ({
  mode: 'postpaid' as const,
  plan_fee_micro_usd: 100 * USD,
  balance_micro_usd: -spent,
  spent_micro_usd: spent,
  spend_cap_micro_usd: cap,
  available_micro_usd: cap === null ? null : cap - spent,
});
/** A usage of this cost since the given day. */
const usage = (total: number, since?: string) => ({
  total_micro_usd: total,
  days: [
    { day: '2026-11-01', upload_mb: 0, download_mb: 0, storage_mb_months: 0 },
    ...(since === undefined ? [] : [{ day: since, upload_mb: 1, download_mb: 0, storage_mb_months: 0 }]),
  ],
});

describe('the forecast of credit', () => {
  it('ends on the day that follows from the usage since the first day with usage', () => {
    // 1.80 in 9.5 days leaves 3.20 for 16.9 days.
    expect(forecast(prepaid(3.2 * USD, 1.8 * USD), usage(1.8 * USD, '2026-11-13'), NOW)).toEqual({
      kind: 'until',
      left: 3.2 * USD,
      of: 5 * USD,
      day: '2026-12-09',
      by: 'usage',
    });
  });

  it('ends at the fee that it does not cover', () => {
    expect(forecast(prepaid(5 * USD, 0, 5 * USD), usage(0), NOW)).toMatchObject({ day: '2026-12-01', by: 'fee' });
    expect(forecast(prepaid(14 * USD, 0, 5 * USD), usage(0), NOW)).toMatchObject({ day: '2027-02-01', by: 'fee' });
  });

  it('includes the fees that are due before usage takes the rest', () => {
    // 1 a day: 8.5 until December, then the fee, then 1.5 days.
    expect(forecast(prepaid(15 * USD, USD, 5 * USD), usage(9.5 * USD, '2026-11-13'), NOW)).toMatchObject({
      day: '2026-12-02',
      by: 'usage',
    });
  });

  it('does not extrapolate from the first hour', () => {
    expect(forecast(prepaid(5 * USD, USD), usage(USD, '2026-11-22'), NOW)).toMatchObject({ day: '2026-11-27' });
  });

  it('has no end where nothing is charged, and is exhausted when no credit is left', () => {
    expect(forecast(prepaid(5 * USD, 0), usage(0), NOW)).toEqual({ kind: 'enough', left: 5 * USD, of: 5 * USD });
    expect(forecast(prepaid(-USD, 3 * USD), usage(3 * USD, '2026-11-02'), NOW)).toEqual({
      kind: 'exhausted',
      left: -USD,
      of: 2 * USD,
    });
  });
});

describe('the forecast of a spending cap', () => {
  it('ends on the day of this month on which the cap is reached, with any fee', () => {
    expect(forecast(postpaid(10 * USD, 8 * USD), usage(8 * USD, '2026-11-14'), NOW)).toMatchObject({
      left: 2 * USD,
      of: 10 * USD,
      day: '2026-11-24',
    });
  });

  it('is sufficient when the month ends earlier', () => {
    expect(forecast(postpaid(100 * USD, 8 * USD), usage(8 * USD, '2026-11-14'), NOW).kind).toBe('enough');
    expect(forecast(postpaid(100 * USD, 0), usage(0), NOW).kind).toBe('enough');
  });

  it('has no end when there is no cap', () => {
    expect(forecast(postpaid(null, USD), usage(USD, '2026-11-14'), NOW)).toEqual({ kind: 'unlimited', spent: USD });
  });
});
