import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { BillingAccountsRepository } from './accounts/billing-accounts.repository';
import { LedgerService } from './ledger/ledger.service';

/** Credit that an operator gives, or takes back. */
export interface Grant {
  /** Below zero: a correction. */
  readonly amountMicroUsd: bigint;
  /** The operator's own name for it: a second grant of the same reference is refused. */
  readonly reference: string;
}

/** Overrides that are only for operators (specification §1), each audited with who did it. */
@Injectable()
export class BillingOverrides {
  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly ledger: LedgerService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** @throws AppError already_exists when the reference was used before. */
  async grant(ctx: RequestContext, organizationId: string, { amountMicroUsd, reference }: Grant): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const account = await this.accounts.lock(tx, organizationId);
      const after = await this.ledger.book(tx, account, { kind: 'grant', amountMicroUsd, reference });
      if (after === account) {
        throw new AppError('already_exists', { message: `A grant with the reference "${reference}" was made before.` });
      }
      const payload = { amount_micro_usd: Number(amountMicroUsd), reference };
      await this.audit.record(tx, { type: 'billing.credit_granted', organizationId, payload });
    });
  }

  /** Whether the plan's fee is charged from now on; what was charged stays. */
  async waiveFee(ctx: RequestContext, organizationId: string, feeWaived: boolean): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const account = await this.accounts.lock(tx, organizationId);
      if (account.feeWaived === feeWaived) return;
      await this.accounts.save(tx, { ...account, feeWaived });
      await this.audit.record(tx, {
        type: 'billing.fee_waiver_changed',
        organizationId,
        payload: { waived: feeWaived },
      });
    });
  }
}
