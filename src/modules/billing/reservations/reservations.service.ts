import { Injectable, type OnModuleInit } from '@nestjs/common';
import { periodOf } from '#kernel/billing/period';
import { transferCharge } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { QuotaConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { Jobs } from '#infra/jobs/jobs';
import { sample } from '#infra/metrics/gauge-source';
import { Metrics } from '#infra/metrics/metrics';
import { availableIn, inPeriod, type LockedBillingAccount } from '../accounts/billing-account';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { LedgerService } from '../ledger/ledger.service';
import { usageKind } from '../ledger/ledger-entry';
import { modeOf } from '../plans/plan';
import { PricesService } from '../plans/prices.service';
import { type Reservation, type ReservationRequest, type ResolvedReservation } from './reservation';
import { ReservationsRepository, type ReservationTerms } from './reservations.repository';

/** Reserves credit for uploads and downloads, and settles or releases it once. `BillingService` documents the public methods. */
@Injectable()
export class ReservationsService implements OnModuleInit {
  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly repository: ReservationsRepository,
    private readonly ledger: LedgerService,
    private readonly prices: PricesService,
    private readonly quotas: QuotaConfig,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('billing.release-expired', '* * * * *', (ctx) => this.expireAll(ctx));
    this.jobs.schedule('billing.prune-reservations', '23 * * * *', (ctx) => this.repository.prune(ctx));
  }

  async reserve(ctx: RequestContext, request: ReservationRequest): Promise<Reservation> {
    if (request.isInOwnStorage) return this.reserveUnmetered(ctx, request);
    const amountMicroUsd = transferCharge(BigInt(request.sizeBytes), this.prices.of(request.kind));
    const terms = { amountMicroUsd, maxOpen: this.quotas.openReservations };
    return this.transactions.run(ctx, async (tx) => {
      await this.transactions.advisoryLock(tx, this.lockKeyOf(tx, request.organizationId));
      const reserved =
        (await this.repository.reserve(tx, request, terms)) ?? (await this.reserveLocked(tx, request, terms));
      const { isAlertDue, ...reservation } = reserved;
      if (isAlertDue) await this.alert(tx, request.organizationId);
      return reservation;
    });
  }

  lockKeyOf(ctx: RequestContext, organizationId: string): string {
    return this.repository.lockKeyOf(ctx, organizationId);
  }

  settle(ctx: RequestContext, id: string, actualBytes: number): Promise<boolean> {
    return this.resolve(ctx, id, actualBytes);
  }

  release(ctx: RequestContext, id: string): Promise<boolean> {
    return this.resolve(ctx, id, null);
  }

  releaseMany(tx: RequestContext, ids: readonly string[]): Promise<void> {
    return this.repository.releaseMany(tx, ids);
  }

  extend(ctx: RequestContext, id: string, until: Date | null): Promise<boolean> {
    return this.repository.extend(ctx, id, until);
  }

  /**
   * Returns the credit of expired reservations of all organizations. New reservations do not depend on this job: `reserve` returns the
   * credit of expired ones itself when the available amount is too small.
   */
  async expireAll(ctx: RequestContext): Promise<void> {
    await forEachCollectingErrors(await this.repository.findOrganizationsWithExpired(ctx), (id) =>
      this.transactions.run(ctx, async (tx) => this.expire(tx, await this.accounts.lock(tx, id))),
    );
  }

  private async reserveUnmetered(ctx: RequestContext, request: ReservationRequest): Promise<Reservation> {
    const reservation = await this.repository.reserveUnmetered(ctx, request);
    if (!reservation) throw new AppError('permission_denied');
    return reservation;
  }

  /** Returns the credit of the organization's expired reservations, and retries. @throws the reason when the terms are not met. */
  private async reserveLocked(
    tx: RequestContext,
    request: ReservationRequest,
    terms: ReservationTerms,
  ): Promise<Reservation & { readonly isAlertDue: boolean }> {
    const account = await this.expire(tx, await this.accounts.lock(tx, request.organizationId));
    const reservation = await this.repository.reserve(tx, request, terms);
    if (reservation) return reservation;
    const { organizationId } = request;
    if ((await this.repository.countOpen(tx, organizationId)) >= terms.maxOpen) throw tooManyOpen(terms.maxOpen);
    throw insufficientCredit(account, terms.amountMicroUsd, availableOf(account) ?? 0n);
  }

  private async alert(tx: RequestContext, organizationId: string): Promise<void> {
    const account = await this.accounts.lock(tx, organizationId);
    await this.accounts.save(tx, await this.ledger.alert(tx, inPeriod(account, periodOf(account.now).name)));
  }

  private async expire(tx: RequestContext, account: LockedBillingAccount): Promise<LockedBillingAccount> {
    const held = await this.repository.expire(tx, account.organizationId);
    return this.returnCredit(tx, account, held);
  }

  private async returnCredit(
    tx: RequestContext,
    account: LockedBillingAccount,
    heldMicroUsd: bigint,
  ): Promise<LockedBillingAccount> {
    if (heldMicroUsd === 0n) return account;
    const after = withoutHeld(account, heldMicroUsd);
    await this.accounts.save(tx, after);
    return after;
  }

  /** In one transaction: resolves the reservation, returns the credit that it held, and books the usage. */
  private resolve(ctx: RequestContext, id: string, actualBytes: number | null): Promise<boolean> {
    return this.transactions.run(ctx, async (tx) => {
      const resolved = await this.repository.resolve(tx, id, actualBytes);
      if (!resolved) return false;
      const { account: locked, heldMicroUsd } = resolved;
      if (actualBytes === null || !resolved.isMetered || !locked.metered) {
        await this.returnCredit(tx, locked, heldMicroUsd);
        return true;
      }
      const quantity = BigInt(actualBytes);
      const charge = transferCharge(quantity, this.prices.of(resolved.kind));
      const account = await this.withCredit(tx, withoutHeld(locked, heldMicroUsd), resolved, charge);
      const usage = { kind: usageKind(resolved.kind), amountMicroUsd: -charge, quantity, reference: id };
      // The ledger saves the returned credit together with the charge.
      if ((await this.ledger.book(tx, account, usage)) === account) {
        await this.returnCredit(tx, locked, heldMicroUsd);
      }
      return true;
    });
  }

  /**
   * Checks that the account can pay a transfer for which nothing was held. The caller has locked the account, so that concurrent transfers
   * and reservations cannot spend the same credit.
   * @returns the account, without the amount of expired reservations if it was needed.
   * @throws AppError prepaid_credit_exhausted or spend_cap_exceeded; nothing is changed then.
   */
  private async withCredit(
    tx: RequestContext,
    account: LockedBillingAccount,
    { isUnheld, heldMicroUsd }: ResolvedReservation,
    charge: bigint,
  ): Promise<LockedBillingAccount> {
    if (!isUnheld || heldMicroUsd >= charge || charge <= (availableOf(account) ?? charge)) return account;
    const current = withoutHeld(account, await this.repository.expire(tx, account.organizationId));
    const available = availableOf(current) ?? charge;
    if (charge > available) throw insufficientCredit(current, charge, available);
    return current;
  }
}

const withoutHeld = (account: LockedBillingAccount, heldMicroUsd: bigint): LockedBillingAccount => ({
  ...account,
  reservedMicroUsd: account.reservedMicroUsd - heldMicroUsd,
});

const tooManyOpen = (limit: number): AppError =>
  new AppError('quota_exceeded', {
    message: `You have ${limit} open uploads and download URLs. Finish some of them, or wait until they expire.`,
    details: { quota: 'open_reservations', limit },
  });

/** The amount that an account can still spend or reserve. Null: unlimited. */
const availableOf = (account: LockedBillingAccount): bigint | null =>
  availableIn(account, periodOf(account.now).name, account.reservedMicroUsd);

function insufficientCredit(account: LockedBillingAccount, amountMicroUsd: bigint, available: bigint): AppError {
  const details = {
    required_micro_usd: Number(amountMicroUsd),
    available_micro_usd: Number(available > 0n ? available : 0n),
  };
  const errorCase = modeOf(account.plan) === 'prepaid' ? 'prepaid_credit_exhausted' : 'spend_cap_exceeded';
  return new AppError(errorCase, { details });
}

/** Exposes the count and the sum of the active reservations of all organizations. */
@Injectable()
export class ReservationGauges implements OnModuleInit {
  constructor(
    private readonly reservations: ReservationsRepository,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.watch({
      source: 'reservations',
      gauges: ['agate_reservations_active', 'agate_reservations_micro_usd'],
      read: async (ctx) => {
        const { count, amountMicroUsd } = await this.reservations.totalActive(ctx);
        return [
          sample('agate_reservations_active', count, {}),
          sample('agate_reservations_micro_usd', Number(amountMicroUsd), {}),
        ];
      },
    });
  }
}
