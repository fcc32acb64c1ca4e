import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Logger } from '#infra/logging/logger';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { LedgerService } from '../ledger/ledger.service';
import { type PaymentNotification, PaymentProvider, type ReceivedPayment } from './payment-provider';
import { type TopUp } from './top-up';
import { TopUpsRepository } from './top-ups.repository';

/** Books received payments, each once. */
@Injectable()
export class TopUpPaymentsService {
  constructor(
    private readonly repository: TopUpsRepository,
    private readonly accounts: BillingAccountsRepository,
    private readonly ledger: LedgerService,
    private readonly provider: PaymentProvider,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly logger: Logger,
  ) {}

  /**
   * Books the payment that a notification reports. Repeated notifications have no effect.
   * @throws AppError invalid_input when the signature is wrong; not_found when the provider sends no notifications.
   */
  async handleNotification(ctx: RequestContext, notification: PaymentNotification): Promise<void> {
    const payment = this.provider.receivedPayment(notification);
    if (!payment) return;
    const topUp = await this.repository.findByPayment(ctx, this.provider.name, payment.reference);
    if (topUp) await this.book(ctx, { ...topUp, amountMicroUsd: payment.amountMicroUsd });
    else this.logUnmatched(ctx, payment);
  }

  /** Books a payment that an operator confirms. @throws AppError not_found; already_exists when the top-up is already paid. */
  async approve(ctx: RequestContext, id: string): Promise<TopUp> {
    const topUp = await this.repository.find(ctx, id);
    if (!topUp) throw AppError.notFound('top-up');
    if (await this.book(ctx, topUp)) return { ...topUp, state: 'paid' };
    throw new AppError('already_exists', { message: 'This top-up is already paid.' });
  }

  /** @returns false when the top-up is already paid. */
  private book(ctx: RequestContext, topUp: TopUp): Promise<boolean> {
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

  /**
   * The top-up was deleted with its organization, so the money must be refunded by a person. The provider receives a success
   * response, because a repeated notification would change nothing.
   */
  private logUnmatched(
    { requestId }: RequestContext,
    { reference, amountMicroUsd, organizationId }: ReceivedPayment,
  ): void {
    const fields = { requestId, reference, amountMicroUsd: Number(amountMicroUsd), organizationId };
    this.logger.error(fields, 'Received a payment that matches no top-up: refund it, or grant it as credit');
  }
}
