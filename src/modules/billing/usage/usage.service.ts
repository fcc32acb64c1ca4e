import { Injectable } from '@nestjs/common';
import { daysOf, type Period, periodNamed, periodOf } from '#kernel/billing/period';
import { type Meter, METERS, storageCharge } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { LedgerRepository } from '../ledger/ledger.repository';
import { type LedgerTotal, usageKind } from '../ledger/ledger-entry';
import { PricesService } from '../plans/prices.service';
import { StorageMeterRepository } from './storage-meter.repository';
import { StorageMonthsRepository } from './storage-months.repository';

/** Metered quantities: bytes for transfers, bytes times milliseconds for storage. */
export type Quantities = Readonly<Record<Meter, bigint>>;

/** The usage of an organization in a period so far, and its cost. */
export interface Usage {
  readonly organizationId: string;
  readonly period: Period;
  readonly quantities: Quantities;
  readonly costsMicroUsd: Readonly<Record<Meter, bigint>>;
  /** The bytes of the parts of open uploads at this moment. */
  readonly openUploadBytes: bigint;
  /** The days of the period that have started, in order. */
  readonly days: readonly { readonly day: string; readonly quantities: Quantities }[];
}

/** Computes usage from the meters. Storage is current at any moment, however late it is booked. */
@Injectable()
export class UsageService {
  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly ledger: LedgerRepository,
    private readonly intervals: StorageMeterRepository,
    private readonly months: StorageMonthsRepository,
    private readonly prices: PricesService,
  ) {}

  /** @param periodName default: the current period. */
  async get(ctx: RequestContext, organizationId: string, periodName?: string): Promise<Usage> {
    const { now } = await this.accounts.get(ctx, organizationId);
    const period = periodName === undefined ? periodOf(now) : periodNamed(periodName);
    const starts = daysOf(period).filter((day) => day < now);
    const until = now < period.end ? now : period.end;
    const stored = await this.storedIn(ctx, organizationId, [...starts, until], period);
    const transfers = await this.ledger.dailyTotals(ctx, organizationId, period.name);
    const days = starts.map((start, index) => {
      const day = start.toISOString().slice(0, 10);
      const totals = transfers.filter((total) => total.day === day);
      return { day, quantities: { ...transfersOf(totals, 'quantity'), storage: stored[index] ?? 0n } };
    });
    const quantities = { ...transfersOf(transfers, 'quantity'), storage: sum(stored) };
    const storage = storageCharge(quantities.storage, period, this.prices.of('storage'));
    const costsMicroUsd = { ...negated(transfersOf(transfers, 'amountMicroUsd')), storage };
    const openUploadBytes = await this.intervals.openUploadBytes(ctx, organizationId);
    return { organizationId, period, quantities, costsMicroUsd, openUploadBytes, days };
  }

  /** Reads the intervals first: if they are deleted at the same time, the month is saved by then. */
  private async storedIn(
    ctx: RequestContext,
    organizationId: string,
    instants: readonly Date[],
    period: Period,
  ): Promise<readonly bigint[]> {
    if (instants.length < 2) return [];
    const metered = await this.intervals.byteMs(ctx, organizationId, instants);
    const isPast = instants.at(-1)!.getTime() === period.end.getTime();
    return (isPast && (await this.months.find(ctx, organizationId, period.name))) || metered;
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
