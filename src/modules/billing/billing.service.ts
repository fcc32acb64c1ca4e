import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { QuotaConfig } from '#platform/config/config';
import { Transactions } from '#platform/database/transactions';
import { Jobs } from '#platform/jobs/jobs';
import { BillingRepository } from './billing.repository';
import { type Plan } from './plan';
import { type AdmissionRequest, type Reservation } from './reservation';

/** Plans, and the one point where uploads and downloads are admitted: reserve, then settle or release, once. */
@Injectable()
export class BillingService implements OnModuleInit {
  constructor(
    private readonly repository: BillingRepository,
    private readonly quotas: QuotaConfig,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('billing.release-expired', '* * * * *', async (ctx) => {
      await this.repository.releaseExpired(ctx);
    });
  }

  /** A new organization is on Team (contract §5). */
  openAccount(ctx: RequestContext, organizationId: string): Promise<void> {
    return this.repository.insertAccount(ctx, organizationId, 'team');
  }

  plansOf(ctx: RequestContext, organizationIds: readonly string[]): Promise<ReadonlyMap<string, Plan>> {
    return this.repository.findPlans(ctx, organizationIds);
  }

  /**
   * Admits a transfer and holds room for it, for about 30 minutes or until it is settled or released.
   * @throws AppError quota_exceeded when the credential holds too many open reservations.
   */
  async reserve(ctx: RequestContext, request: AdmissionRequest): Promise<Reservation> {
    const limit = this.quotas.openReservations;
    const reservation = await this.transactions.run(ctx, (tx) => this.repository.reserve(tx, request, limit));
    if (reservation) return reservation;
    throw new AppError('quota_exceeded', {
      message: `This credential holds ${limit} open uploads and download URLs. Use them, or wait until they run out.`,
      details: { quota: 'open_reservations', limit },
    });
  }

  /** The transfer took so many bytes. False when it was resolved before: each is resolved once. */
  settle(ctx: RequestContext, reservationId: string, actualBytes: number): Promise<boolean> {
    return this.repository.resolve(ctx, reservationId, actualBytes);
  }

  /** The transfer did not happen. */
  release(ctx: RequestContext, reservationId: string): Promise<boolean> {
    return this.repository.resolve(ctx, reservationId, null);
  }

  /** The transfer is still at work. */
  extend(ctx: RequestContext, reservationId: string): Promise<void> {
    return this.repository.extend(ctx, reservationId);
  }
}
