import { Injectable } from '@nestjs/common';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids/ids';
import { AuditRecorder } from '#platform/audit/audit-recorder';
import { Transactions } from '#platform/database/transactions';
import { AccountsRepository } from './accounts.repository';
import { LedgerService } from './ledger.service';
import { type BegunPayment, type Notification, type PaymentOrder, PaymentProvider } from './payment-provider';
import { type TopUp } from './top-up';
import { TopUpsRepository } from './top-ups.repository';

/** Buying credit: asked for here, paid elsewhere, booked once. */
@Injectable()
export class TopUpsService {
  constructor(
    private readonly repository: TopUpsRepository,
    private readonly accounts: AccountsRepository,
    private readonly ledger: LedgerService,
    private readonly provider: PaymentProvider,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

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

  /** Books what the provider says has been paid, once, however often it says so. @throws AppError invalid_input */
  async notify(ctx: RequestContext, notification: Notification): Promise<void> {
    const payment = this.provider.paymentOf(notification);
    const topUp = payment && (await this.repository.findByPayment(ctx, this.provider.name, payment.reference));
    if (topUp) await this.pay(ctx, { ...topUp, amountMicroUsd: payment.amountMicroUsd });
  }

  /** An operator has seen the money. @throws AppError not_found; already_exists when it was paid before. */
  async approve(ctx: RequestContext, id: string): Promise<TopUp> {
    const topUp = await this.repository.find(ctx, id);
    if (!topUp) throw AppError.notFound('top-up');
    if (await this.pay(ctx, topUp)) return { ...topUp, state: 'paid' };
    throw new AppError('already_exists', { message: 'This top-up was paid before.' });
  }

  findPending(ctx: RequestContext): Promise<readonly TopUp[]> {
    return this.repository.findPending(ctx);
  }

  private pay(ctx: RequestContext, topUp: TopUp): Promise<boolean> {
    const { id, organizationId, amountMicroUsd } = topUp;
    return this.transactions.run(ctx, async (tx) => {
      const account = await this.accounts.lock(tx, organizationId);
      if (!(await this.repository.markPaid(tx, id, account.now))) return false;
      await this.ledger.book(tx, account, { kind: 'top_up', amountMicroUsd, reference: id });
      const payload = { top_up_id: id, amount_micro_usd: Number(amountMicroUsd), provider: topUp.provider };
      await this.audit.record(tx, { type: 'billing.top_up_paid', organizationId, payload });
      return true;
    });
  }
}
