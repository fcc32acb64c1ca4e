import { Injectable } from '@nestjs/common';
import { type Period } from '#kernel/billing/period';
import { storageCharge } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { type LockedAccount } from '../accounts/billing-account';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { LedgerRepository } from '../ledger/ledger.repository';
import { LedgerService } from '../ledger/ledger.service';
import { PriceList } from '../plans/price-list';
import { type StoredBuild, StorageMeterRepository } from './storage-meter.repository';

/** What is kept, for how long, and what that costs: an integral over intervals, never a sample. */
@Injectable()
export class StorageMeterService {
  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly repository: StorageMeterRepository,
    private readonly ledger: LedgerService,
    private readonly entries: LedgerRepository,
    private readonly prices: PriceList,
    private readonly transactions: Transactions,
  ) {}

  /** A build is kept from now on. In the transaction that makes it. */
  async start(tx: RequestContext, build: StoredBuild): Promise<void> {
    await this.accounts.lock(tx, build.organizationId);
    await this.repository.addBuild(tx, build);
    await this.repository.open(tx, build.organizationId, build.buildId);
  }

  /** A build is kept no more. In the transaction that deletes it, whenever its bytes may go. */
  async end(tx: RequestContext, organizationId: string, buildId: string): Promise<void> {
    await this.accounts.lock(tx, organizationId);
    await this.repository.removeBuild(tx, organizationId, buildId);
    await this.repository.close(tx, organizationId, buildId);
  }

  /** ShutdownHooks or starts an organization's meters, all at one instant. What was metered before is charged. */
  async setMetered(ctx: RequestContext, organizationId: string, metered: boolean): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const account = await this.accounts.lock(tx, organizationId);
      if (account.metered === metered) return;
      await this.accounts.save(tx, { ...account, metered });
      if (metered) await this.repository.open(tx, organizationId, null);
      else await this.repository.close(tx, organizationId, null);
    });
  }

  /**
   * Books what a period has cost up to an instant and is not booked yet. The sum over a period does not depend on how often
   * this is done: what is kept is priced from the period's start, and what was booked before is subtracted.
   */
  async accrue(tx: RequestContext, account: LockedAccount, period: Period, until: Date): Promise<LockedAccount> {
    const [byteMs = 0n] = await this.repository.byteMs(tx, account.organizationId, [period.start, until]);
    const totals = await this.entries.totals(tx, account.organizationId, period.name);
    const booked = totals.find(({ kind }) => kind === 'usage_storage');
    const quantity = byteMs - (booked?.quantity ?? 0n);
    if (quantity <= 0n) return account;
    const amountMicroUsd = -storageCharge(byteMs, period, this.prices.of('storage')) - (booked?.amountMicroUsd ?? 0n);
    const reference = until.toISOString();
    return this.ledger.book(tx, account, {
      kind: 'usage_storage',
      amountMicroUsd,
      quantity,
      reference,
      period: period.name,
    });
  }
}
