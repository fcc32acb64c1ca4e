import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type Hook } from '#kernel/hook';
import { BillingConfig } from '#infra/config/config';
import { BillingAccountsRepository } from './accounts/billing-accounts.repository';
import { BillingAccountsService } from './accounts/billing-accounts.service';
import { type Plan, type PlanChange } from './plans/plan';
import { PlansService } from './plans/plans.service';
import { type Reservation, type ReservationRequest } from './reservations/reservation';
import { ReservationsService } from './reservations/reservations.service';
import { PeriodsService } from './usage/periods.service';
import { type MeteredUpload, type StoredBuild } from './usage/storage-meter.repository';
import { StorageMeterService } from './usage/storage-meter.service';

/** The smallest amount that can be paid, in micro-dollars. */
const CENT = 10_000n;

/** The interface of billing for other modules. */
@Injectable()
export class BillingService {
  constructor(
    private readonly accounts: BillingAccountsService,
    private readonly repository: BillingAccountsRepository,
    private readonly plans: PlansService,
    private readonly reservations: ReservationsService,
    private readonly meter: StorageMeterService,
    private readonly periods: PeriodsService,
    private readonly config: BillingConfig,
  ) {}

  /**
   * Runs before a plan changes, in the transaction of the change. A handler throws `dependency_exists` to reject the change.
   * Handlers count exactly: transactions that called `requirePlan` have committed, and new ones wait for the change.
   */
  get planChange(): Hook<[ctx: RequestContext, change: PlanChange]> {
    return this.plans.planChange;
  }

  /** Returns the ids of an organization's builds whose artifact is not in the hosted store: they are not metered. */
  get outsideHostedStore(): Hook<[ctx: RequestContext, organizationId: string], readonly string[]> {
    return this.meter.outsideHostedStore;
  }

  /** Opens the account of a new organization, by default on trial. */
  openAccount(ctx: RequestContext, organizationId: string, { onTrial = true } = {}): Promise<void> {
    return this.accounts.open(ctx, organizationId, onTrial);
  }

  /**
   * Settles the account of an organization in the transaction that deletes it: books the outstanding charges, refunds fees that
   * were charged in advance, and creates the last statement, which outlives the account.
   * @returns what the organization still owes, in micro-dollars: 0 for less than a cent, which cannot be paid.
   */
  async closeAccount(tx: RequestContext, organizationId: string): Promise<bigint> {
    const { balanceMicroUsd } = await this.periods.closeAccount(tx, organizationId);
    await this.meter.forget(tx, organizationId);
    return this.config.isMetered && balanceMicroUsd <= -CENT ? -balanceMicroUsd : 0n;
  }

  /** The plans, keyed by organization id. Organizations that do not exist are skipped. */
  plansOf(ctx: RequestContext, organizationIds: readonly string[]): Promise<ReadonlyMap<string, Plan>> {
    return this.repository.findPlans(ctx, organizationIds);
  }

  /** Whether nothing but trial credit pays for an organization. False while billing is off. */
  async hasOnlyTrialCredit(ctx: RequestContext, organizationId: string): Promise<boolean> {
    return this.config.isMetered && !(await this.repository.hasPayment(ctx, organizationId));
  }

  /**
   * Rejects a feature of another plan. In a transaction, the plan cannot change until the transaction ends. While billing is off,
   * every plan has every feature.
   * @throws AppError operation_not_allowed with details.required_plan when the organization is on another plan.
   */
  requirePlan(ctx: RequestContext, organizationId: string, plan: Plan): Promise<void> {
    return this.plans.requirePlan(ctx, organizationId, plan);
  }

  /**
   * Reserves credit for a transfer, for 30 minutes or until it is settled or released. Does not reserve when the organization is
   * not metered, or the artifact is in its own storage account. For a caller without an account it only checks that there is credit.
   * @throws AppError prepaid_credit_exhausted or spend_cap_exceeded when the available amount is too small; quota_exceeded when the
   * caller has too many open reservations. Nothing is changed then.
   */
  reserve(ctx: RequestContext, request: ReservationRequest): Promise<Reservation> {
    return this.reservations.reserve(ctx, request);
  }

  /**
   * The key of the advisory lock that `reserve` takes. A transaction that first takes other advisory locks can take this one with the same
   * statement.
   */
  reservationLockKey(ctx: RequestContext, organizationId: string): string {
    return this.reservations.lockKeyOf(ctx, organizationId);
  }

  /**
   * Ends a reservation and charges the transferred bytes, even when it has expired.
   * @returns false when the reservation was already settled or released.
   * @throws AppError prepaid_credit_exhausted or spend_cap_exceeded when nothing was held for it and the credit is spent.
   */
  settle(ctx: RequestContext, reservationId: string, actualBytes: number): Promise<boolean> {
    return this.reservations.settle(ctx, reservationId, actualBytes);
  }

  /**
   * Ends a reservation without a charge.
   * @returns false when the reservation has expired or was already settled or released.
   */
  release(ctx: RequestContext, reservationId: string): Promise<boolean> {
    return this.reservations.release(ctx, reservationId);
  }

  /** Ends reservations without a charge, in a transaction that no other one can disturb, such as a restore. */
  releaseMany(tx: RequestContext, reservationIds: readonly string[]): Promise<void> {
    return this.reservations.releaseMany(tx, reservationIds);
  }

  /**
   * Extends a reservation to 30 minutes from now, or to `until` if that is later.
   * @returns false when the reservation has expired or is resolved. The caller then needs a new reservation.
   */
  extend(ctx: RequestContext, reservationId: string, until: Date | null = null): Promise<boolean> {
    return this.reservations.extend(ctx, reservationId, until);
  }

  /**
   * Starts metering the storage of a build, and at the same instant stops metering the parts of the upload that made it. Call it in the
   * transaction that creates the build.
   */
  startStorage(tx: RequestContext, build: StoredBuild, uploadId: string | null = null): Promise<void> {
    return this.meter.start(tx, build, uploadId);
  }

  /**
   * Meters the parts of an open upload in the hosted store like a stored build, with this size from now on. Call it in a transaction that
   * has locked the upload, so that it is still open.
   */
  meterOpenUpload(tx: RequestContext, upload: MeteredUpload, sizeBytes: number): Promise<void> {
    return this.meter.meterOpenUpload(tx, upload, sizeBytes);
  }

  /** Stops metering the parts of an upload. Call it in the transaction that ends the upload without a build. */
  endOpenUpload(tx: RequestContext, upload: MeteredUpload): Promise<void> {
    return this.meter.endOpenUpload(tx, upload);
  }

  /** The uploads whose parts are metered. Some may have ended without `endOpenUpload`, for example before a restore. */
  meteredUploads(ctx: RequestContext): Promise<readonly MeteredUpload[]> {
    return this.meter.openUploads(ctx);
  }

  /**
   * Stops metering the storage of builds. Call it in the transaction that deletes the builds, however late their bytes are deleted, and last:
   * it locks the billing account until the commit.
   */
  endStorage(tx: RequestContext, organizationId: string, buildIds: readonly string[]): Promise<void> {
    return this.meter.end(tx, organizationId, buildIds);
  }

  /**
   * Stops or starts metering the storage of a build whose artifact was moved to another storage account. Call it in the transaction
   * that changes the account of the build, after the change.
   */
  moveStorage(
    tx: RequestContext,
    organizationId: string,
    buildId: string,
    to: Pick<StoredBuild, 'isHosted'>,
  ): Promise<void> {
    return this.meter.move(tx, organizationId, buildId, to);
  }

  /**
   * Stops or starts all meters of an organization at one instant of the database's clock. While they are stopped, nothing is
   * reserved, charged or counted, and nothing is rejected with 402. Artifacts in the organization's own storage account are never
   * metered. The caller records the audit event.
   */
  setMetered(ctx: RequestContext, organizationId: string, metered: boolean): Promise<void> {
    return this.meter.setMetered(ctx, organizationId, metered);
  }
}
