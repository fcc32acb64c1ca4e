import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { BillingAccountsRepository } from './accounts/billing-accounts.repository';
import { BillingAccountsService } from './accounts/billing-accounts.service';
import { ReservationsService } from './reservations/reservations.service';
import { PeriodsService } from './statements/periods.service';
import { type Plan, type PlanGuard } from './plans/plan';
import { PlansService } from './plans/plans.service';
import { type AdmissionRequest, type Reservation } from './reservations/reservation';
import { type StoredBuild } from './storage-metering/storage-meter.repository';
import { StorageMeterService } from './storage-metering/storage-meter.service';

/** All that other modules want of billing. */
@Injectable()
export class BillingService {
  constructor(
    private readonly accounts: BillingAccountsService,
    private readonly repository: BillingAccountsRepository,
    private readonly plans: PlansService,
    private readonly admission: ReservationsService,
    private readonly meter: StorageMeterService,
    private readonly periods: PeriodsService,
  ) {}

  /** The account of a new organization, by default on trial. */
  openAccount(ctx: RequestContext, organizationId: string, { onTrial = true } = {}): Promise<void> {
    return this.accounts.open(ctx, organizationId, onTrial);
  }

  /** Ends the account of an organization that is about to go, with a last statement. In the transaction that deletes it. */
  closeAccount(tx: RequestContext, organizationId: string): Promise<void> {
    return this.periods.closeForGood(tx, organizationId);
  }

  plansOf(ctx: RequestContext, organizationIds: readonly string[]): Promise<ReadonlyMap<string, Plan>> {
    return this.repository.findPlans(ctx, organizationIds);
  }

  /**
   * For what only one plan has. In a transaction, the plan then stays what it is until the end of that.
   * @throws AppError operation_not_allowed with details.required_plan on another plan.
   */
  requirePlan(ctx: RequestContext, organizationId: string, plan: Plan): Promise<void> {
    return this.plans.require(ctx, organizationId, plan);
  }

  /** Registers who may object to a change of plan: called in `onModuleInit` by modules that keep what depends on one. */
  onPlanChange(guard: PlanGuard): void {
    this.plans.guard(guard);
  }

  /**
   * Admits a transfer and holds room for it, for about 30 minutes or until it is settled or released.
   * @throws AppError prepaid_credit_exhausted or spend_cap_exceeded when what it will cost is not free; quota_exceeded when
   * the credential holds too many open reservations. Nothing is changed then.
   */
  reserve(ctx: RequestContext, request: AdmissionRequest): Promise<Reservation> {
    return this.admission.reserve(ctx, request);
  }

  /** The transfer took so many bytes. False when it was resolved before: each is resolved once. */
  settle(ctx: RequestContext, reservationId: string, actualBytes: number): Promise<boolean> {
    return this.admission.settle(ctx, reservationId, actualBytes);
  }

  /** The transfer did not happen. */
  release(ctx: RequestContext, reservationId: string): Promise<boolean> {
    return this.admission.release(ctx, reservationId);
  }

  /** The transfer is still at work. False when its room was returned meanwhile: it needs another reservation. */
  extend(ctx: RequestContext, reservationId: string): Promise<boolean> {
    return this.admission.extend(ctx, reservationId);
  }

  /** A build is kept from now on. In the transaction that makes it. */
  startStorage(tx: RequestContext, build: StoredBuild): Promise<void> {
    return this.meter.start(tx, build);
  }

  /** A build is kept no more, whenever its bytes may go. In the transaction that deletes it. */
  endStorage(tx: RequestContext, organizationId: string, buildId: string): Promise<void> {
    return this.meter.end(tx, organizationId, buildId);
  }

  /**
   * ShutdownHooks the three meters of an organization, or starts them again, at one instant of the database's clock: while they rest
   * nothing is reserved, charged or counted, and nothing is refused with 402. The caller records the event that this is part of.
   */
  setMetered(ctx: RequestContext, organizationId: string, metered: boolean): Promise<void> {
    return this.meter.setMetered(ctx, organizationId, metered);
  }
}
