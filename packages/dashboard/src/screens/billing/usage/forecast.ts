import { type BillingAccount, type Usage } from '../../../queries/organization/billing';

/** The remaining amount, and how long it lasts. Sums are in micro-dollars. */
export type Forecast =
  /** Nothing limits the spending. */
  | { readonly kind: 'unlimited'; readonly spent: number }
  | { readonly kind: 'exhausted'; readonly left: number; readonly of: number }
  /** It is used up on this day (UTC), by usage or by the plan's fee on that day. */
  | {
      readonly kind: 'until';
      readonly left: number;
      readonly of: number;
      readonly day: string;
      readonly by: 'usage' | 'fee';
    }
  /** It lasts longer than a year or, for a spending cap, until the end of the month. */
  | { readonly kind: 'enough'; readonly left: number; readonly of: number };

type Account = Pick<
  BillingAccount,
  | 'mode'
  | 'plan_fee_micro_usd'
  | 'balance_micro_usd'
  | 'spent_micro_usd'
  | 'spend_cap_micro_usd'
  | 'available_micro_usd'
>;
type MonthUsage = Pick<Usage, 'total_micro_usd' | 'days'>;

const DAY_MS = 86_400_000;
const MONTHS_AHEAD = 12;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const nextMonth = (time: number): number => {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
};

/** Micro-dollars per millisecond since the first day of the month with usage, and at least since a day ago. */
function paceOf({ total_micro_usd: total, days }: MonthUsage, now: number): number {
  const first = days.find((day) => day.upload_mb > 0 || day.download_mb > 0 || day.storage_mb_months > 0);
  return first === undefined ? 0 : total / Math.max(now - Date.parse(first.day), DAY_MS);
}

/** Computes how long the credit or the spending cap lasts if the usage of this month continues. Credit also pays the fees of the plan. */
export function forecast(account: Account, usage: MonthUsage, now: Date): Forecast {
  const { mode, spent_micro_usd: spent, available_micro_usd: left, spend_cap_micro_usd: cap } = account;
  if (left === null) return { kind: 'unlimited', spent };
  const of = mode === 'prepaid' ? account.balance_micro_usd + spent : (cap ?? 0);
  if (left <= 0) return { kind: 'exhausted', left, of };
  const pace = paceOf(usage, now.getTime());
  const end = mode === 'prepaid' ? endOfCredit(left, pace, account.plan_fee_micro_usd, now) : endOfCap(left, pace, now);
  return end === null ? { kind: 'enough', left, of } : { kind: 'until', left, of, ...end };
}

type End = { readonly day: string; readonly by: 'usage' | 'fee' } | null;

/** A cap counts the usage of one month. */
function endOfCap(left: number, pace: number, now: Date): End {
  const end = now.getTime() + left / pace;
  return pace > 0 && end < nextMonth(now.getTime()) ? { day: dayOf(end), by: 'usage' } : null;
}

/** The fee is charged when a month begins. */
function endOfCredit(credit: number, pace: number, fee: number, now: Date): End {
  let left = credit;
  let time = now.getTime();
  for (let month = 0; month < MONTHS_AHEAD; month++) {
    const end = nextMonth(time);
    if (pace * (end - time) >= left) return { day: dayOf(time + left / pace), by: 'usage' };
    left -= pace * (end - time) + fee;
    time = end;
    if (left <= 0) return { day: dayOf(time), by: 'fee' };
  }
  return null;
}
