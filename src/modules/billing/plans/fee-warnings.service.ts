import { Injectable, type OnModuleInit } from '@nestjs/common';
import { periodAfter, periodOf } from '#kernel/billing/period';
import { type RequestContext } from '#kernel/context/request-context';
import { BillingConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { Jobs } from '#infra/jobs/jobs';
import { lacksFee } from '../accounts/billing-account';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { BILLING_NOTICE } from '../ledger/ledger.service';
import { FeesService } from './fees.service';
import { PLAN_FEES } from './plan';

const DAYS_AHEAD = 5;
const DAY_MS = 86_400_000;

/** Warns the members of an organization before a fee is charged that would use up its balance. */
@Injectable()
export class FeeWarningsService implements OnModuleInit {
  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly fees: FeesService,
    private readonly config: BillingConfig,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    // Runs after the storage of the past day is charged.
    this.jobs.schedule('billing.warn-of-fees', '20 0 * * *', (ctx) => this.warnAll(ctx), { catchUpHours: 24 });
  }

  /** In the last five days of a month, warns each organization once, and once more when added credit is used up. */
  async warnAll(ctx: RequestContext): Promise<void> {
    if (!this.config.isMetered) return;
    const now = await this.accounts.now(ctx);
    const current = periodOf(now);
    if (current.end.getTime() - now.getTime() > DAYS_AHEAD * DAY_MS) return;
    const period = periodAfter(current).name;
    // An organization that is about to change its plan will pay the fee of the other plan.
    const lacking = await this.accounts.findLackingFee(ctx, 'team', PLAN_FEES.team, period);
    await forEachCollectingErrors(lacking, (id) => this.warn(ctx, id, period));
  }

  private warn(ctx: RequestContext, organizationId: string, period: string): Promise<void> {
    return this.transactions.run(ctx, async (tx) => {
      const account = await this.accounts.lock(tx, organizationId);
      const fee = this.fees.feeOf(account);
      if (!lacksFee(account, fee) || account.feeWarningPeriod === period) return;
      await this.accounts.save(tx, { ...account, feeWarningPeriod: period });
      await this.jobs.enqueue(tx, BILLING_NOTICE, {
        kind: 'fee-not-covered',
        organizationId,
        period,
        feeMicroUsd: String(fee),
        balanceMicroUsd: String(account.balanceMicroUsd),
      });
    });
  }
}
