import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { Transactions } from '#infra/database/transactions';
import { type EntryDraft, type LedgerEntry, type LedgerKind, type LedgerTotal } from './ledger';
import { LedgerEntryEntity } from './ledger-entry.entity';

interface TotalRow {
  readonly kind: LedgerKind;
  readonly amount: string;
  readonly quantity: string;
}

const TOTALS = `SELECT kind, sum(amount_micro_usd) AS amount, coalesce(sum(quantity), 0) AS quantity FROM ledger_entry`;

@Injectable()
export class LedgerRepository {
  constructor(private readonly transactions: Transactions) {}

  /** @returns false when there is an entry of this kind and reference already. */
  async insert(
    ctx: RequestContext,
    organizationId: string,
    draft: EntryDraft & { readonly period: string },
    createdAt: Date,
  ): Promise<boolean> {
    const rows: unknown[] = await this.transactions.manager(ctx).query(
      `INSERT INTO ledger_entry (id, organization_id, kind, amount_micro_usd, quantity, period, reference, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (organization_id, kind, reference) DO NOTHING RETURNING 1`,
      [
        newId(),
        organizationId,
        draft.kind,
        String(draft.amountMicroUsd),
        draft.quantity === undefined ? null : String(draft.quantity),
        draft.period,
        draft.reference,
        createdAt,
      ],
    );
    return rows.length === 1;
  }

  async page(ctx: RequestContext, organizationId: string, { limit, cursor }: PageRequest): Promise<Page<LedgerEntry>> {
    const list: ListName = `ledger|${organizationId}`;
    const before = decodeCursor(cursor, list);
    const rows = await this.transactions.manager(ctx).find(LedgerEntryEntity, {
      where: { organizationId, ...(before && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    return pageOf(rows.map(entryFromRow), limit, list);
  }

  /** What a period's entries come to, by kind. */
  async totals(ctx: RequestContext, organizationId: string, period: string): Promise<readonly LedgerTotal[]> {
    const rows: TotalRow[] = await this.transactions
      .manager(ctx)
      .query(`${TOTALS} WHERE organization_id = $1 AND period = $2 GROUP BY kind`, [organizationId, period]);
    return rows.map(totalOf);
  }

  /** The transfers of a period by the day on which they were settled, `2026-11-20`. */
  async dailyTotals(
    ctx: RequestContext,
    organizationId: string,
    period: string,
  ): Promise<readonly (LedgerTotal & { readonly day: string })[]> {
    const rows: (TotalRow & { readonly day: string })[] = await this.transactions.manager(ctx).query(
      `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, kind, sum(amount_micro_usd) AS amount,
              coalesce(sum(quantity), 0) AS quantity
       FROM ledger_entry WHERE organization_id = $1 AND period = $2 AND kind IN ('usage_upload', 'usage_download')
       GROUP BY 1, 2`,
      [organizationId, period],
    );
    return rows.map((row) => ({ ...totalOf(row), day: row.day }));
  }

  /** What the ledger says the balance was before a period. */
  async balanceBefore(ctx: RequestContext, organizationId: string, period: string): Promise<bigint> {
    const rows: { sum: string }[] = await this.transactions
      .manager(ctx)
      .query(
        `SELECT coalesce(sum(amount_micro_usd), 0) AS sum FROM ledger_entry WHERE organization_id = $1 AND period < $2`,
        [organizationId, period],
      );
    return BigInt(rows[0]?.sum ?? 0);
  }
}

const totalOf = ({ kind, amount, quantity }: TotalRow): LedgerTotal => ({
  kind,
  amountMicroUsd: BigInt(amount),
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
