import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { Transactions } from '#infra/database/transactions';
import { type LockedAccount } from '../accounts/billing-account';
import { BillingStatementEntity } from './billing-statement.entity';

const ofKind = (kinds: string): string =>
  `coalesce(sum(amount_micro_usd) FILTER (WHERE period = $3 AND kind IN (${kinds})), 0)`;
const metered = (kind: string): string => `coalesce(sum(quantity) FILTER (WHERE period = $3 AND kind = '${kind}'), 0)`;

const DRAW_UP = `
  INSERT INTO billing_statement (id, organization_id, period, plan, opening_balance_micro_usd, credits_micro_usd,
    fees_micro_usd, storage_micro_usd, upload_micro_usd, download_micro_usd, closing_balance_micro_usd,
    storage_byte_ms, upload_bytes, download_bytes, created_at)
  SELECT $1, $2, $3, $4, coalesce(sum(amount_micro_usd) FILTER (WHERE period < $3), 0),
    ${ofKind(`'trial_credit', 'top_up', 'grant'`)}, -${ofKind(`'plan_fee'`)}, -${ofKind(`'usage_storage'`)},
    -${ofKind(`'usage_upload'`)}, -${ofKind(`'usage_download'`)},
    coalesce(sum(amount_micro_usd), 0), ${metered('usage_storage')}, ${metered('usage_upload')}, ${metered('usage_download')}, $5
  FROM ledger_entry WHERE organization_id = $2 AND period <= $3`;

@Injectable()
export class StatementsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Sums up the ledger of a period to which nothing will be added. */
  async drawUp(ctx: RequestContext, { organizationId, plan, now }: LockedAccount, period: string): Promise<void> {
    await this.transactions.manager(ctx).query(DRAW_UP, [newId(), organizationId, period, plan, now]);
  }

  async page(
    ctx: RequestContext,
    organizationId: string,
    { limit, cursor }: PageRequest,
  ): Promise<Page<BillingStatementEntity>> {
    const list: ListName = `statements|${organizationId}`;
    const before = decodeCursor(cursor, list);
    const rows = await this.transactions.manager(ctx).find(BillingStatementEntity, {
      where: { organizationId, ...(before && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    return pageOf(rows, limit, list);
  }
}
