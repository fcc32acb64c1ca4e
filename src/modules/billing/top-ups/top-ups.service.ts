import { Injectable, type OnModuleInit } from '@nestjs/common';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { type BegunPayment, type PaymentOrder, PaymentProvider } from './payment-provider';
import { type TopUp } from './top-up';
import { TopUpsRepository } from './top-ups.repository';

/** Buying credit: asked for here, paid elsewhere, booked by {@link TopUpPayments}. */
@Injectable()
export class TopUpsService implements OnModuleInit {
  constructor(
    private readonly repository: TopUpsRepository,
    private readonly provider: PaymentProvider,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('billing.prune-top-ups', '53 3 * * *', (ctx) => this.repository.prune(ctx));
  }

  /**
   * Has the provider begin a payment, in no transaction.
   * @throws AppError invalid_input for a sum that the provider does not take.
   */
  begin(order: PaymentOrder): Promise<BegunPayment> {
    return this.provider.begin(order);
  }

  /** Keeps the request for a payment that has begun: now it can be paid. */
  async keep(
    ctx: RequestContext,
    { organizationId, amountMicroUsd }: PaymentOrder,
    { reference, checkoutUrl }: BegunPayment,
  ): Promise<TopUp> {
    return this.transactions.run(ctx, async (tx) => {
      const id = newId();
      const topUp: TopUp = {
        id,
        organizationId,
        amountMicroUsd,
        provider: this.provider.name,
        state: 'pending',
        checkoutUrl,
        createdAt: tx.clock.now(),
        paidAt: null,
      };
      await this.repository.insert(tx, topUp, { reference, by: developerOf(tx).developerId });
      const payload = { top_up_id: id, amount_micro_usd: Number(amountMicroUsd), provider: topUp.provider };
      await this.audit.record(tx, { type: 'billing.top_up_requested', organizationId, payload });
      return topUp;
    });
  }

  /** The thousand that have waited longest. */
  findPending(ctx: RequestContext): Promise<readonly TopUp[]> {
    return this.repository.findPending(ctx);
  }
}
