import { Injectable } from '@nestjs/common';
import { type AccountErasure, type ExportedFiles, exportedTable } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { BillingService } from './billing.service';

const OWN = 'organization_id = $1';

export const BILLING_FILES: ExportedFiles = {
  organization: [
    exportedTable('billing_account', 'The plan and the balance. Amounts are millionths of a US dollar.', {
      from: 'billing_account',
      columns: `plan, plan_since, balance_micro_usd, reserved_micro_usd, spend_cap_micro_usd, budget_alert_percents, spent_micro_usd,
        spent_period, alerted_percent, open_period, metered, fee_waived, fee_warning_period`,
      where: OWN,
      key: ['organization_id'],
    }),
    exportedTable('ledger', 'All credits and charges.', {
      from: 'ledger_entry',
      columns: 'id, kind, amount_micro_usd, quantity, period, reference, created_at',
      where: OWN,
    }),
    exportedTable('statements', 'The statements of closed months.', {
      from: 'billing_statement',
      columns: `id, period, plan, opening_balance_micro_usd, credits_micro_usd, fees_micro_usd, storage_micro_usd, upload_micro_usd,
        download_micro_usd, closing_balance_micro_usd, storage_byte_ms, upload_bytes, download_bytes, created_at`,
      where: OWN,
    }),
    exportedTable('top_ups', 'The requested top-ups.', {
      from: 'top_up',
      columns: 'id, amount_micro_usd, provider, state, payment_reference, requested_by, created_at, paid_at',
      where: OWN,
    }),
    exportedTable('reservations', 'Amounts that recent uploads and downloads reserved from the balance.', {
      from: 'reservation',
      columns:
        'id, principal, holder, kind, size_bytes, amount_micro_usd, metered, state, actual_bytes, created_at, expires_at, resolved_at',
      where: OWN,
    }),
    exportedTable(
      'storage_intervals',
      'The artifacts that are, or were in this month, stored, and the times for which they were. Storage charges are computed from them.',
      {
        from: 'storage_interval',
        columns: 'id, build_id, size_bytes, started_at, ended_at',
        where: OWN,
      },
    ),
    exportedTable('storage_months', 'The storage of past months, for each day in bytes times milliseconds.', {
      from: 'storage_month',
      columns: 'period, day_byte_ms',
      where: OWN,
      key: ['period'],
    }),
  ],
  developer: [
    exportedTable('top_ups_requested', 'Top-ups that they requested.', {
      from: 'top_up',
      columns: 'id, organization_id, amount_micro_usd, created_at',
      where: 'requested_by = $1',
    }),
  ],
};

/** The ledger and the statements stay: they hold ids and amounts, and no personal data. */
@Injectable()
export class BillingErasure implements AccountErasure {
  constructor(private readonly billing: BillingService) {}

  /** Needs the builds to be deleted, so that the last statement contains all storage charges. */
  async eraseRest(tx: RequestContext, organizationId: string): Promise<void> {
    await this.billing.closeAccount(tx, organizationId);
  }
}
