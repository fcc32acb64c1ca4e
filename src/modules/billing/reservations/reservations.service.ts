import { Injectable, type OnModuleInit } from '@nestjs/common';
import { periodOf } from '#kernel/billing/period';
import { transferCharge } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { QuotaConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { freeIn, type LockedAccount } from '../accounts/billing-account';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { usageKind } from '../ledger/ledger';
import { LedgerService } from '../ledger/ledger.service';
import { modeOf } from '../plans/plan';
import { PriceList } from '../plans/price-list';
import { type AdmissionRequest, type Reservation } from './reservation';
import { type AdmissionTerms, ReservationsRepository } from './reservations.repository';

/** The one point where uploads and downloads are admitted: reserve, then settle or release, once. */
@Injectable()
export class ReservationsService implements OnModuleInit {
  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly repository: ReservationsRepository,
    private readonly ledger: LedgerService,
    private readonly prices: PriceList,
    private readonly quotas: QuotaConfig,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('billing.release-expired', '* * * * *', (ctx) => this.expireAll(ctx));
    this.jobs.schedule('billing.prune-reservations', '23 * * * *', (ctx) => this.repository.prune(ctx));
  }

  /**
   * @throws AppError prepaid_credit_exhausted or spend_cap_exceeded when there is no room for what it will cost;
   * quota_exceeded when whoever asks holds too many open reservations. Nothing is changed then.
   */
  async reserve(ctx: RequestContext, request: AdmissionRequest): Promise<Reservation> {
    const amountMicroUsd = transferCharge(BigInt(request.sizeBytes), this.prices.of(request.kind));
    const terms = { amountMicroUsd, maxOpen: this.quotas.openReservations };
    return this.transactions.run(ctx, async (tx) => {
      await this.repository.advisoryLock(tx);
      return (await this.repository.reserve(tx, request, terms)) ?? this.reserveLocked(tx, request, terms);
    });
  }

  /** The transfer took so many bytes. False when it was resolved before: each is resolved once. */
  settle(ctx: RequestContext, id: string, actualBytes: number): Promise<boolean> {
    return this.resolve(ctx, id, actualBytes);
  }

  /** The transfer did not happen. */
  release(ctx: RequestContext, id: string): Promise<boolean> {
    return this.resolve(ctx, id, null);
  }

  /** The transfer is still at work. False when its room was returned meanwhile: it needs another reservation. */
  extend(ctx: RequestContext, id: string): Promise<boolean> {
    return this.repository.extend(ctx, id);
  }

  /** Gives back what has run out everywhere: nothing depends on it, admissions look at the clock themselves. */
  async expireAll(ctx: RequestContext): Promise<void> {
    await forEachCollectingErrors(await this.repository.findOrganizationsWithExpired(ctx), (id) =>
      this.transactions.run(ctx, async (tx) => this.expire(tx, await this.accounts.lock(tx, id))),
    );
  }

  /** Gives back what has run out, so that no job need have been there, and tries again; or says why not. */
  private async reserveLocked(
    tx: RequestContext,
    request: AdmissionRequest,
    terms: AdmissionTerms,
  ): Promise<Reservation> {
    const account = await this.expire(tx, await this.accounts.lock(tx, request.organizationId));
    const reservation = await this.repository.reserve(tx, request, terms);
    if (reservation) return reservation;
    if ((await this.repository.countOpen(tx)) >= terms.maxOpen) throw tooManyOpen(terms.maxOpen);
    throw noRoom(account, terms.amountMicroUsd);
  }

  private async expire(tx: RequestContext, account: LockedAccount): Promise<LockedAccount> {
    const held = await this.repository.expire(tx, account.organizationId);
    return this.giveBack(tx, account, held);
  }

  private async giveBack(tx: RequestContext, account: LockedAccount, heldMicroUsd: bigint): Promise<LockedAccount> {
    if (heldMicroUsd === 0n) return account;
    const after = { ...account, reservedMicroUsd: account.reservedMicroUsd - heldMicroUsd };
    await this.accounts.save(tx, after);
    return after;
  }

  /** In one transaction: the reservation ends, what it held is free, and what was taken is on the ledger. */
  private resolve(ctx: RequestContext, id: string, actualBytes: number | null): Promise<boolean> {
    return this.transactions.run(ctx, async (tx) => {
      const locked = await this.accounts.lockOfReservation(tx, id);
      const resolved = locked && (await this.repository.resolve(tx, id, actualBytes));
      if (!resolved) return false;
      const account = await this.giveBack(tx, locked, resolved.heldMicroUsd);
      if (actualBytes === null || !resolved.metered || !account.metered) return true;
      const quantity = BigInt(actualBytes);
      const amountMicroUsd = -transferCharge(quantity, this.prices.of(resolved.kind));
      await this.ledger.book(tx, account, { kind: usageKind(resolved.kind), amountMicroUsd, quantity, reference: id });
      return true;
    });
  }
}

const tooManyOpen = (limit: number): AppError =>
  new AppError('quota_exceeded', {
    message: `You hold ${limit} open uploads and download URLs. Use them, or wait until they run out.`,
    details: { quota: 'open_reservations', limit },
  });

function noRoom(account: LockedAccount, amountMicroUsd: bigint): AppError {
  const free = freeIn(account, periodOf(account.now).name, account.reservedMicroUsd) ?? 0n;
  const details = { required_micro_usd: Number(amountMicroUsd), available_micro_usd: Number(free > 0n ? free : 0n) };
  const errorCase = modeOf(account.plan) === 'prepaid' ? 'prepaid_credit_exhausted' : 'spend_cap_exceeded';
  return new AppError(errorCase, { details });
}
