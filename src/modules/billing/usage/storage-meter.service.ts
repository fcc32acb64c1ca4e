import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Period } from '#kernel/billing/period';
import { storageCharge } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { Transactions } from '#infra/database/transactions';
import { defineJob } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { sample } from '#infra/metrics/gauge-source';
import { Metrics } from '#infra/metrics/metrics';
import { type LockedBillingAccount } from '../accounts/billing-account';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { LedgerRepository } from '../ledger/ledger.repository';
import { LedgerService } from '../ledger/ledger.service';
import { PricesService } from '../plans/prices.service';
import { type MeteredUpload, StorageMeterRepository, type StoredBuild } from './storage-meter.repository';

const DELETE_INTERVALS = defineJob<{ readonly organizationId: string }>('billing.delete-intervals');

/** Meters storage as the exact sum of size times duration, from the interval in which each build was stored. */
@Injectable()
export class StorageMeterService implements OnModuleInit {
  /** See `BillingService.outsideHostedStore`. */
  readonly outsideHostedStore = new Hook<[ctx: RequestContext, organizationId: string], readonly string[]>();

  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly repository: StorageMeterRepository,
    private readonly ledger: LedgerService,
    private readonly entries: LedgerRepository,
    private readonly prices: PricesService,
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register(DELETE_INTERVALS, (ctx, { organizationId }) =>
      this.repository.deleteIntervals(ctx, organizationId),
    );
    this.metrics.watch({
      source: 'open_uploads',
      gauges: ['agate_open_upload_bytes'],
      read: async (ctx) => [sample('agate_open_upload_bytes', await this.repository.totalOpenUploadBytes(ctx), {})],
    });
  }

  /** See `BillingService.startStorage`. */
  async start(tx: RequestContext, build: StoredBuild, uploadId: string | null): Promise<void> {
    if (!(await this.repository.addBuild(tx, build, uploadId))) throw new AppError('permission_denied');
  }

  /** See `BillingService.meterOpenUpload`. */
  async meterOpenUpload(tx: RequestContext, upload: MeteredUpload, sizeBytes: number): Promise<void> {
    await this.accounts.lock(tx, upload.organizationId);
    await this.repository.setOpenUpload(tx, upload, sizeBytes);
  }

  /** See `BillingService.endOpenUpload`. */
  endOpenUpload(tx: RequestContext, upload: MeteredUpload): Promise<void> {
    return this.repository.endOpenUpload(tx, upload);
  }

  /** See `BillingService.meteredUploads`. */
  openUploads(ctx: RequestContext): Promise<readonly MeteredUpload[]> {
    return this.repository.findOpenUploads(ctx);
  }

  /** See `BillingService.endStorage`. */
  async end(tx: RequestContext, organizationId: string, buildIds: readonly string[]): Promise<void> {
    if (buildIds.length === 0) return;
    await this.accounts.lock(tx, organizationId);
    await this.repository.removeBuilds(tx, organizationId, buildIds);
    await this.repository.close(tx, organizationId, buildIds);
  }

  /** Deletes the intervals of an organization after the commit of the transaction that deletes it. */
  forget(tx: RequestContext, organizationId: string): Promise<void> {
    return this.jobs.enqueue(tx, DELETE_INTERVALS, { organizationId });
  }

  /** See `BillingService.moveStorage`. */
  async move(
    tx: RequestContext,
    organizationId: string,
    buildId: string,
    { isHosted }: Pick<StoredBuild, 'isHosted'>,
  ): Promise<void> {
    await this.accounts.lock(tx, organizationId);
    if (isHosted) await this.repository.open(tx, organizationId, buildId);
    else await this.repository.close(tx, organizationId, [buildId]);
  }

  /** See `BillingService.setMetered`. */
  async setMetered(ctx: RequestContext, organizationId: string, metered: boolean): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const account = await this.accounts.lock(tx, organizationId);
      if (account.metered === metered) return;
      await this.accounts.save(tx, { ...account, metered });
      if (metered) await this.repository.open(tx, organizationId, null, await this.listOutside(tx, organizationId));
      else await this.repository.close(tx, organizationId, null);
    });
  }

  /** A relocation changes the place of a build before it locks the account, so it opens or closes the interval itself afterwards. */
  private async listOutside(tx: RequestContext, organizationId: string): Promise<readonly string[]> {
    return (await this.outsideHostedStore.run(tx, organizationId)).flat();
  }

  /**
   * Books the storage costs of a period up to an instant that are not booked yet. Storage is priced from the start of the period and
   * booked amounts are subtracted, so the period's sum is rounded once, however often this runs.
   */
  async accrue(
    tx: RequestContext,
    account: LockedBillingAccount,
    period: Period,
    until: Date,
  ): Promise<LockedBillingAccount> {
    const [byteMs = 0n] = await this.repository.byteMs(tx, account.organizationId, [period.start, until]);
    const totals = await this.entries.totals(tx, account.organizationId, period.name);
    const booked = totals.find(({ kind }) => kind === 'usage_storage');
    const quantity = byteMs - (booked?.quantity ?? 0n);
    if (quantity <= 0n) return account;
    const amountMicroUsd = -storageCharge(byteMs, period, this.prices.of('storage')) - (booked?.amountMicroUsd ?? 0n);
    const reference = until.toISOString();
    const entry = { kind: 'usage_storage', amountMicroUsd, quantity, reference, period: period.name } as const;
    return this.ledger.book(tx, account, entry);
  }
}
