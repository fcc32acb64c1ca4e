import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { newId } from '#kernel/ids';
import { findPage } from '#infra/database/find-page';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type LockedBillingAccount } from '../accounts/billing-account';
import { type Plan } from '../plans/plan';

/** The sums of a closed period. The database rejects updates and deletions; a check ensures that the parts add up. */
@Entity('billing_statement')
@Unique('uq_billing_statement_period', ['organizationId', 'period'])
@Check(
  'ck_billing_statement_sum',
  'closing_balance_micro_usd = opening_balance_micro_usd + credits_micro_usd - fees_micro_usd - storage_micro_usd - upload_micro_usd - download_micro_usd',
)
export class BillingStatementEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_billing_statement' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  period: string;

  /** The plan at the end of the period. */
  @Column('text')
  plan: Plan;

  @Column('bigint', { name: 'opening_balance_micro_usd' })
  openingBalanceMicroUsd: string;

  @Column('bigint', { name: 'credits_micro_usd' })
  creditsMicroUsd: string;

  @Column('bigint', { name: 'fees_micro_usd' })
  feesMicroUsd: string;

  @Column('bigint', { name: 'storage_micro_usd' })
  storageMicroUsd: string;

  @Column('bigint', { name: 'upload_micro_usd' })
  uploadMicroUsd: string;

  @Column('bigint', { name: 'download_micro_usd' })
  downloadMicroUsd: string;

  @Column('bigint', { name: 'closing_balance_micro_usd' })
  closingBalanceMicroUsd: string;

  @Column('numeric', { name: 'storage_byte_ms' })
  storageByteMs: string;

  @Column('numeric', { name: 'upload_bytes' })
  uploadBytes: string;

  @Column('numeric', { name: 'download_bytes' })
  downloadBytes: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

const amountOf = (kinds: string): string =>
  `coalesce(sum(amount_micro_usd) FILTER (WHERE period = $3 AND kind IN (${kinds})), 0)`;
const quantityOf = (kind: string): string =>
  `coalesce(sum(quantity) FILTER (WHERE period = $3 AND kind = '${kind}'), 0)`;

const CREATE = `
  INSERT INTO billing_statement (id, organization_id, period, plan, opening_balance_micro_usd, credits_micro_usd,
    fees_micro_usd, storage_micro_usd, upload_micro_usd, download_micro_usd, closing_balance_micro_usd,
    storage_byte_ms, upload_bytes, download_bytes, created_at)
  SELECT $1, $2, $3, $4, coalesce(sum(amount_micro_usd) FILTER (WHERE period < $3), 0),
    ${amountOf(`'trial_credit', 'top_up', 'grant'`)}, -${amountOf(`'plan_fee'`)}, -${amountOf(`'usage_storage'`)},
    -${amountOf(`'usage_upload'`)}, -${amountOf(`'usage_download'`)}, coalesce(sum(amount_micro_usd), 0),
    ${quantityOf('usage_storage')}, ${quantityOf('usage_upload')}, ${quantityOf('usage_download')}, $5
  FROM ledger_entry WHERE organization_id = $2 AND period <= $3`;

@Injectable()
export class StatementsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Sums up the ledger of a period into a statement. No entry may be booked into the period afterwards. */
  async createStatement(
    ctx: RequestContext,
    { organizationId, plan, now }: LockedBillingAccount,
    period: string,
  ): Promise<void> {
    await rows(this.transactions.manager(ctx), CREATE, [newId(), organizationId, period, plan, now]);
  }

  /** Newest first. */
  async list(ctx: RequestContext, organizationId: string, page: PageRequest): Promise<Page<BillingStatementEntity>> {
    const statements = this.transactions.manager(ctx).getRepository(BillingStatementEntity);
    return findPage(statements, { organizationId }, page, `statements|${organizationId}`);
  }
}
