import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { newId } from '#kernel/ids';
import { findPage } from '#infra/database/find-page';
import { changed, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type LockedBillingAccount } from '../accounts/billing-account';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { type EntryDraft, type LedgerEntry, type LedgerKind, type LedgerTotal } from './ledger-entry';

/**
 * One change of an organization's balance. The database rejects updates and deletions. There are no foreign keys, because entries
 * outlive their organization.
 */
@Entity('ledger_entry')
@Unique('uq_ledger_entry_reference', ['organizationId', 'kind', 'reference'])
@Check('ck_ledger_entry_quantity', `quantity >= 0 AND (quantity IS NOT NULL) = (kind LIKE 'usage_%')`)
@Index('ix_ledger_entry_organization', ['organizationId', 'id'])
@Index('ix_ledger_entry_period', ['organizationId', 'period'])
export class LedgerEntryEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_ledger_entry' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  kind: LedgerKind;

  /** Negative for a charge. */
  @Column('bigint', { name: 'amount_micro_usd' })
  amountMicroUsd: string;

  /** The metered quantity: bytes, or for storage bytes times milliseconds. */
  @Column('numeric', { nullable: true })
  quantity: string | null;

  @Column('text')
  period: string;

  /** Identifies the effect, so that it is booked once. */
  @Column('text')
  reference: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

interface TotalRow {
  readonly kind: LedgerKind;
  readonly amountMicroUsd: string;
  readonly quantity: string;
}

const TOTALS = `kind, sum(amount_micro_usd) AS "amountMicroUsd", coalesce(sum(quantity), 0) AS quantity`;

@Injectable()
export class LedgerRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly accounts: BillingAccountsRepository,
  ) {}

  /**
   * Inserts an entry and saves its account, which the transaction has locked, with one statement.
   * @param account the account after the entry.
   * @returns false, and saves nothing, when an entry with this kind and reference exists.
   */
  async post(
    ctx: RequestContext,
    account: LockedBillingAccount,
    draft: EntryDraft & { readonly period: string },
  ): Promise<boolean> {
    const entry = [
      newId(),
      account.organizationId,
      draft.kind,
      String(draft.amountMicroUsd),
      draft.quantity === undefined ? null : String(draft.quantity),
      draft.period,
      draft.reference,
      account.now,
    ];
    const { assignments, values } = this.accounts.assignmentsOf(ctx, account, entry.length + 1);
    const posted = await changed(
      this.transactions.manager(ctx),
      `WITH entry AS (
         INSERT INTO ledger_entry (id, organization_id, kind, amount_micro_usd, quantity, period, reference, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (organization_id, kind, reference) DO NOTHING RETURNING organization_id)
       UPDATE billing_account a SET ${assignments} FROM entry WHERE a.organization_id = entry.organization_id`,
      [...entry, ...values],
    );
    return posted === 1;
  }

  /** Newest first. */
  async list(ctx: RequestContext, organizationId: string, page: PageRequest): Promise<Page<LedgerEntry>> {
    const entries = this.transactions.manager(ctx).getRepository(LedgerEntryEntity);
    const { items, nextCursor } = await findPage(entries, { organizationId }, page, `ledger|${organizationId}`);
    return { items: items.map(entryFromRow), nextCursor };
  }

  /** The sums of a period's entries, by kind. */
  async totals(ctx: RequestContext, organizationId: string, period: string): Promise<readonly LedgerTotal[]> {
    const totals = await rows<TotalRow>(
      this.transactions.manager(ctx),
      `SELECT ${TOTALS} FROM ledger_entry WHERE organization_id = $1 AND period = $2 GROUP BY kind`,
      [organizationId, period],
    );
    return totals.map(totalFromRow);
  }

  /** The sums of a period's transfers, by kind and by the UTC day on which they were settled (`2026-11-20`). */
  async dailyTotals(
    ctx: RequestContext,
    organizationId: string,
    period: string,
  ): Promise<readonly (LedgerTotal & { readonly day: string })[]> {
    const totals = await rows<TotalRow & { readonly day: string }>(
      this.transactions.manager(ctx),
      `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, ${TOTALS} FROM ledger_entry
       WHERE organization_id = $1 AND period = $2 AND kind IN ('usage_upload', 'usage_download') GROUP BY day, kind`,
      [organizationId, period],
    );
    return totals.map((row) => ({ ...totalFromRow(row), day: row.day }));
  }
}

const totalFromRow = ({ kind, amountMicroUsd, quantity }: TotalRow): LedgerTotal => ({
  kind,
  amountMicroUsd: BigInt(amountMicroUsd),
  quantity: BigInt(quantity),
});

const entryFromRow = (row: LedgerEntryEntity): LedgerEntry => ({
  id: row.id,
  kind: row.kind,
  amountMicroUsd: BigInt(row.amountMicroUsd),
  quantity: row.quantity === null ? null : BigInt(row.quantity),
  period: row.period,
  reference: row.reference,
  createdAt: row.createdAt,
});
