import { AppError } from '#kernel/errors/app-error';
import { type BegunPayment, type Payment, PaymentProvider } from './payment-provider';

/** Money that comes by other ways: the top-up waits until an operator approves it. */
export class ManualPayments extends PaymentProvider {
  readonly name = 'manual';

  begin(): Promise<BegunPayment> {
    return Promise.resolve({ reference: null, checkoutUrl: null });
  }

  paymentOf(): Payment | null {
    throw new AppError('not_found');
  }
}
