import { Injectable, type OnModuleInit } from '@nestjs/common';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { idFrom } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { type CreatedPayment, type PaymentOrder, PaymentProvider } from './payment-provider';
import { type TopUp } from './top-up';
import { TopUpsRepository } from './top-ups.repository';

/** Creates top-ups. {@link TopUpPaymentsService} books them when they are paid. */
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
   * The order of a request. The id of its top-up follows from the operation, because the provider accepts a retry only with the same return
   * address, which contains the id.
   */
  orderOf(operation: string, organizationId: string, amountMicroUsd: bigint): PaymentOrder {
    return { operation, organizationId, topUpId: idFrom(`top-up|${operation}`), amountMicroUsd };
  }

  /** Newest first. */
  list(ctx: RequestContext, organizationId: string, request: PageRequest): Promise<Page<TopUp>> {
    return this.repository.list(ctx, organizationId, request);
  }

  /** Creates the payment at the provider. Call it outside a transaction. @throws see `PaymentProvider.createPayment`. */
  createPayment(order: PaymentOrder): Promise<CreatedPayment> {
    return this.provider.createPayment(order);
  }

  /** Stores the top-up of a payment that was created. */
  async create(
    ctx: RequestContext,
    { organizationId, topUpId: id, amountMicroUsd }: PaymentOrder,
    { reference, checkoutUrl }: CreatedPayment,
  ): Promise<TopUp> {
    return this.transactions.run(ctx, async (tx) => {
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

  /** The pending top-ups, oldest first, at most a thousand. */
  findPending(ctx: RequestContext): Promise<readonly TopUp[]> {
    return this.repository.findPending(ctx);
  }
}
