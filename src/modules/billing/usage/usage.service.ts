import { Injectable } from '@nestjs/common';
import { daysOf, type Period, periodNamed, periodOf } from '#kernel/billing/period';
import { type Meter, METERS, storageCharge } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { type LedgerTotal, usageKind } from '../ledger/ledger';
import { LedgerRepository } from '../ledger/ledger.repository';
import { PriceList } from '../plans/price-list';
import { StorageMeterRepository } from '../storage-metering/storage-meter.repository';

/** Metered quantities: of storage in bytes times milliseconds, of transfers in bytes. */
export type Quantities = Readonly<Record<Meter, bigint>>;

/** What an organization has used in a period so far, and what that costs. */
export interface Usage {
  readonly organizationId: string;
  readonly period: Period;
  readonly quantities: Quantities;
  readonly costsMicroUsd: Readonly<Record<Meter, bigint>>;
  /** Those that have begun, in order. */
  readonly days: readonly { readonly day: string; readonly quantities: Quantities }[];
}

/** Reads the meters: exact at any moment, whatever has been booked. */
@Injectable()
export class UsageService {
  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly ledger: LedgerRepository,
    private readonly intervals: StorageMeterRepository,
    private readonly prices: PriceList,
  ) {}

  /** @param name of a period, default the present one. */
  async of(ctx: RequestContext, organizationId: string, name?: string): Promise<Usage> {
    const { now } = await this.accounts.get(ctx, organizationId);
    const period = name === undefined ? periodOf(now) : periodNamed(name);
    const starts = daysOf(period).filter((day) => day < now);
    const until = now < period.end ? now : period.end;
    const stored = starts.length > 0 ? await this.intervals.byteMs(ctx, organizationId, [...starts, until]) : [];
    const transfers = await this.ledger.dailyTotals(ctx, organizationId, period.name);
    const days = starts.map((start, index) => {
      const day = start.toISOString().slice(0, 10);
      const totals = transfers.filter((total) => total.day === day);
      return { day, quantities: { ...transfersOf(totals, 'quantity'), storage: stored[index] ?? 0n } };
    });
    const quantities = { ...transfersOf(transfers, 'quantity'), storage: sum(stored) };
    const storage = storageCharge(quantities.storage, period, this.prices.of('storage'));
    const costsMicroUsd = { ...negated(transfersOf(transfers, 'amountMicroUsd')), storage };
    return { organizationId, period, quantities, costsMicroUsd, days };
  }
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

const transfersOf = (totals: readonly LedgerTotal[], of: 'quantity' | 'amountMicroUsd'): Quantities => {
  const totalOf = (meter: Meter): bigint =>
    sum(totals.filter(({ kind }) => kind === usageKind(meter)).map((total) => total[of]));
  return { storage: totalOf('storage'), upload: totalOf('upload'), download: totalOf('download') };
};

const negated = (sums: Quantities): Quantities =>
  Object.fromEntries(METERS.map((meter) => [meter, -sums[meter]])) as unknown as Quantities;
