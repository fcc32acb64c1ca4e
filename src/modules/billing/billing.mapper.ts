import { type Period, periodNamed } from '#kernel/billing/period';
import { inMegabytes, mbMonthOf, type Prices } from '#kernel/billing/pricing';
import { nextFeeOf } from './accounts/billing-account';
import { type BillingAccountView } from './accounts/billing-accounts.service';
import {
  type BillingAccountResponse,
  type PlanOfferResponse,
  type PricesResponse,
  type TopUpResponse,
} from './billing.dto';
import {
  type DailyUsageResponse,
  type LedgerEntryResponse,
  type StatementResponse,
  type UsageResponse,
} from './ledger/ledger.dto';
import { type LedgerEntry } from './ledger/ledger-entry';
import { modeOf } from './plans/plan';
import { type PlanOffer } from './plans/tariff.service';
import { type TopUp } from './top-ups/top-up';
import { type BillingStatementEntity } from './usage/statements.repository';
import { type Quantities, type Usage } from './usage/usage.service';

/** Exact, because a JSON number is exact up to 9 billion dollars. */
const micro = (amount: bigint | string): number => Number(amount);
const orNull = (amount: bigint | null): number | null => (amount === null ? null : micro(amount));

export const toPricesResponse = (prices: Prices): PricesResponse => ({
  storage_mb_month_micro_usd: micro(prices.storage),
  upload_mb_micro_usd: micro(prices.upload),
  download_mb_micro_usd: micro(prices.download),
});

export const toPlanOfferResponse = ({ plan, mode, feeMicroUsd, ...offer }: PlanOffer): PlanOfferResponse => ({
  plan,
  mode,
  fee_micro_usd: micro(feeMicroUsd),
  first_spend_cap_micro_usd: orNull(offer.firstSpendCapMicroUsd),
  features: [...offer.features],
});

export const toAccountResponse = (account: BillingAccountView, prices: Prices): BillingAccountResponse => ({
  organization_id: account.organizationId,
  plan: account.plan,
  mode: modeOf(account.plan),
  plan_fee_micro_usd: micro(account.planFeeMicroUsd),
  next_fee_micro_usd: micro(nextFeeOf(account)),
  next_fee_at: periodNamed(account.period).end.toISOString(),
  period: account.period,
  balance_micro_usd: micro(account.balanceMicroUsd),
  reserved_micro_usd: micro(account.openMicroUsd),
  spent_micro_usd: micro(account.spentMicroUsd),
  spend_cap_micro_usd: orNull(account.spendCapMicroUsd),
  available_micro_usd: orNull(account.availableMicroUsd),
  budget_alert_percents: [...account.budgetAlertPercents],
  metered: account.metered,
  prices: toPricesResponse(prices),
});

const quantitiesOf = (
  { storage, upload, download }: Quantities,
  period: Period,
): Pick<DailyUsageResponse, 'storage_mb_months' | 'upload_mb' | 'download_mb'> => ({
  storage_mb_months: inMegabytes(storage, mbMonthOf(period)),
  upload_mb: inMegabytes(upload),
  download_mb: inMegabytes(download),
});

export const toUsageResponse = (usage: Usage): UsageResponse => {
  const { storage, upload, download } = usage.costsMicroUsd;
  return {
    organization_id: usage.organizationId,
    period: usage.period.name,
    ...quantitiesOf(usage.quantities, usage.period),
    storage_micro_usd: micro(storage),
    upload_micro_usd: micro(upload),
    download_micro_usd: micro(download),
    total_micro_usd: micro(storage + upload + download),
    open_upload_bytes: Number(usage.openUploadBytes),
    days: usage.days.map(({ day, quantities }) => ({ day, ...quantitiesOf(quantities, usage.period) })),
  };
};

export const toLedgerEntryResponse = (entry: LedgerEntry): LedgerEntryResponse => ({
  id: entry.id,
  kind: entry.kind,
  amount_micro_usd: micro(entry.amountMicroUsd),
  quantity: entry.quantity === null ? null : inMegabytes(entry.quantity, unitOf(entry)),
  period: entry.period,
  reference: entry.reference,
  created_at: entry.createdAt.toISOString(),
});

const unitOf = ({ kind, period }: LedgerEntry): bigint | undefined =>
  kind === 'usage_storage' ? mbMonthOf(periodNamed(period)) : undefined;

export const toStatementResponse = (statement: BillingStatementEntity): StatementResponse => ({
  id: statement.id,
  period: statement.period,
  plan: statement.plan,
  opening_balance_micro_usd: micro(statement.openingBalanceMicroUsd),
  credits_micro_usd: micro(statement.creditsMicroUsd),
  fees_micro_usd: micro(statement.feesMicroUsd),
  storage_micro_usd: micro(statement.storageMicroUsd),
  upload_micro_usd: micro(statement.uploadMicroUsd),
  download_micro_usd: micro(statement.downloadMicroUsd),
  closing_balance_micro_usd: micro(statement.closingBalanceMicroUsd),
  ...quantitiesOf(
    {
      storage: BigInt(statement.storageByteMs),
      upload: BigInt(statement.uploadBytes),
      download: BigInt(statement.downloadBytes),
    },
    periodNamed(statement.period),
  ),
  created_at: statement.createdAt.toISOString(),
});

export const toTopUpResponse = (topUp: TopUp): TopUpResponse => ({
  id: topUp.id,
  organization_id: topUp.organizationId,
  amount_micro_usd: micro(topUp.amountMicroUsd),
  provider: topUp.provider,
  state: topUp.state,
  checkout_url: topUp.checkoutUrl,
  created_at: topUp.createdAt.toISOString(),
  paid_at: topUp.paidAt?.toISOString() ?? null,
});
