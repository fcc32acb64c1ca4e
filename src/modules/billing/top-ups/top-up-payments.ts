import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Logger } from '#infra/logging/logger';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { LedgerService } from '../ledger/ledger.service';
import { type Notification, type Payment, PaymentProvider } from './payment-provider';
import { type TopUp } from './top-up';
import { TopUpsRepository } from './top-ups.repository';

/** Top-ups as they are paid: each is booked once. */
@Injectable()
export class TopUpPayments {
  constructor(
    private readonly repository: TopUpsRepository,
    private readonly accounts: BillingAccountsRepository,
    private readonly ledger: LedgerService,
    private readonly provider: PaymentProvider,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly logger: Logger,
  ) {}

  /** Books what the provider says has been paid, once, however often it says so. @throws AppError invalid_input */
  async notify(ctx: RequestContext, notification: Notification): Promise<void> {
    const payment = this.provider.paymentOf(notification);
    if (!payment) return;
    const topUp = await this.repository.findByPayment(ctx, this.provider.name, payment.reference);
    if (topUp) await this.pay(ctx, { ...topUp, amountMicroUsd: payment.amountMicroUsd });
    else this.report(ctx, payment);
  }

  /** An operator has seen the money. @throws AppError not_found; already_exists when it was paid before. */
  async approve(ctx: RequestContext, id: string): Promise<TopUp> {
    const topUp = await this.repository.find(ctx, id);
    if (!topUp) throw AppError.notFound('top-up');
    if (await this.pay(ctx, topUp)) return { ...topUp, state: 'paid' };
    throw new AppError('already_exists', { message: 'This top-up was paid before.' });
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

  /** It is gone with its organization: whose money it is, only a person finds out. The provider need not tell it again. */
  private report({ requestId }: RequestContext, { reference, amountMicroUsd, organizationId }: Payment): void {
    const fields = { requestId, reference, amountMicroUsd: Number(amountMicroUsd), organizationId };
    this.logger.error(fields, 'A payment has come that no top-up is there for: give it back, or grant it as credit');
  }
}
