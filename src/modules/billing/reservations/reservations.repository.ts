import { Injectable } from '@nestjs/common';
import { type Identity, isWithoutAccount, quotaSubjectOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { ONE_PLAN } from '#infra/database/pool/statement-names';
import { changed, deleteOlder, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { clientNetwork } from '#infra/network/client-network';
import { type BillingAccountRow, BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import {
  type MeteredKind,
  type Reservation,
  RESERVATION_MINUTES,
  type ReservationRequest,
  type ResolvedReservation,
} from './reservation';

/** The conditions that a reservation must meet. */
export interface ReservationTerms {
  readonly amountMicroUsd: bigint;
  /** The limit of open reservations of the caller in the organization. */
  readonly maxOpen: number;
}

type ResolvedRow = BillingAccountRow & {
  readonly kind: MeteredKind;
  readonly held: string;
  readonly isMetered: boolean;
  readonly isUnheld: boolean;
};

const OF_RESERVATION = 'organization_id = (SELECT organization_id FROM reservation WHERE id = $1)';

const OPEN_OF_CALLER = `SELECT count(*) FROM reservation
  WHERE principal = $3 AND organization_id = $2 AND metered AND state = 'active' AND expires_at > app_now()`;

const AVAILABLE = `CASE plan WHEN 'team' THEN balance_micro_usd - reserved_micro_usd
  ELSE spend_cap_micro_usd - reserved_micro_usd
    - CASE WHEN spent_period = to_char(billing_now() AT TIME ZONE 'UTC', 'YYYY-MM') THEN spent_micro_usd ELSE 0 END END`;

/** Whether spending and reservations of this month have reached a threshold for which no alert was sent. */
const ALERT_DUE = `EXISTS (
  SELECT FROM (SELECT CASE WHEN spent_period = to_char(billing_now() AT TIME ZONE 'UTC', 'YYYY-MM') THEN spent_micro_usd ELSE 0 END,
                      CASE WHEN spent_period = to_char(billing_now() AT TIME ZONE 'UTC', 'YYYY-MM') THEN alerted_percent ELSE 0 END)
                AS month (spent, alerted),
              unnest(budget_alert_percents) AS percent
  WHERE percent > alerted AND (spent + reserved_micro_usd) * 100::numeric
    >= percent * (CASE plan WHEN 'team' THEN balance_micro_usd + spent ELSE spend_cap_micro_usd END))`;

/** Whether the account has the amount, and the caller may open another reservation. */
const IS_ADMITTED = `(NOT metered OR (($6::bigint = 0 OR coalesce($6::bigint <= ${AVAILABLE}, true)) AND (${OPEN_OF_CALLER}) < $8))`;

/** One conditional statement, so that the account and the reservation change together or not at all. */
const RESERVE = `
  WITH account AS (
    UPDATE billing_account SET reserved_micro_usd = reserved_micro_usd + CASE WHEN metered THEN $6::bigint ELSE 0 END
    WHERE organization_id = $2 AND ${IS_ADMITTED}
    RETURNING metered, metered AND ${ALERT_DUE} AS due),
  inserted AS (INSERT INTO reservation (id, organization_id, principal, kind, size_bytes, amount_micro_usd, metered, state, created_at, expires_at)
  SELECT $1, $2, $3, $4, $5, CASE WHEN metered THEN $6::bigint ELSE 0 END, metered, 'active', app_now(),
         app_now() + make_interval(mins => $7)
  FROM account RETURNING expires_at)
  SELECT expires_at AS "expiresAt", metered AND $6::bigint > 0 AS "isCharged", due AS "isAlertDue" FROM inserted, account ${ONE_PLAN}`;

/** Admits a transfer, and holds nothing for it. Does not lock the account. */
const ADMIT = `
  INSERT INTO reservation (id, organization_id, principal, holder, kind, size_bytes, amount_micro_usd, metered, state, created_at, expires_at)
  SELECT $1, $2, $3, $9, $4, $5, 0, metered, 'active', app_now(), app_now() + make_interval(mins => $7)
  FROM billing_account WHERE organization_id = $2 AND ${IS_ADMITTED}
  RETURNING expires_at AS "expiresAt", metered AND $6::bigint > 0 AS "isCharged", false AS "isAlertDue" ${ONE_PLAN}`;

const RESERVE_UNMETERED = `
  INSERT INTO reservation (id, organization_id, principal, holder, kind, size_bytes, amount_micro_usd, metered, state, created_at, expires_at)
  SELECT $1, organization_id, $3, $7, $4, $5, 0, false, 'active', app_now(), app_now() + make_interval(mins => $6)
  FROM billing_account WHERE organization_id = $2 RETURNING expires_at AS "expiresAt", false AS "isCharged"`;

@Injectable()
export class ReservationsRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly accounts: BillingAccountsRepository,
  ) {}

  /**
   * The key of the advisory lock that serializes the reservations of one caller in an organization, so that open reservations are counted
   * exactly.
   */
  lockKeyOf(ctx: RequestContext, organizationId: string): string {
    return `reservations|${organizationId}|${callerOf(ctx)}`;
  }

  /** Makes a reservation, and says whether it makes a budget alert due. Null when the terms are not met. */
  async reserve(
    ctx: RequestContext,
    request: ReservationRequest,
    terms: ReservationTerms,
  ): Promise<(Reservation & { readonly isAlertDue: boolean }) | null> {
    const { id = newId(), organizationId, kind, sizeBytes } = request;
    const holder = unheldBy(ctx);
    const reserved = await one<{ expiresAt: Date; isCharged: boolean; isAlertDue: boolean }>(
      this.transactions.manager(ctx),
      holder === null ? RESERVE : ADMIT,
      [
        id,
        organizationId,
        callerOf(ctx),
        kind,
        sizeBytes,
        String(terms.amountMicroUsd),
        RESERVATION_MINUTES,
        terms.maxOpen,
        ...(holder === null ? [] : [holder]),
      ],
    );
    return reserved && { id, ...reserved };
  }

  /** Makes a reservation that holds and costs nothing. Does not touch the account. Null when the organization does not exist. */
  async reserveUnmetered(ctx: RequestContext, request: ReservationRequest): Promise<Reservation | null> {
    const { id = newId(), organizationId, kind, sizeBytes } = request;
    const reserved = await one<{ expiresAt: Date; isCharged: boolean }>(
      this.transactions.manager(ctx),
      RESERVE_UNMETERED,
      [id, organizationId, callerOf(ctx), kind, sizeBytes, RESERVATION_MINUTES, unheldBy(ctx)],
    );
    return reserved && { id, ...reserved };
  }

  /** The number of open reservations of the caller in an organization. */
  async countOpen(ctx: RequestContext, organizationId: string): Promise<number> {
    const statement = `SELECT (${OPEN_OF_CALLER.replace('$3', '$1')})::int AS count`;
    const parameters = [callerOf(ctx), organizationId];
    return (await one<{ count: number }>(this.transactions.manager(ctx), statement, parameters))?.count ?? 0;
  }

  /** The sum held by the reservations of an organization that have not expired. */
  async sumOpen(ctx: RequestContext, organizationId: string): Promise<bigint> {
    return this.sum(
      ctx,
      `SELECT coalesce(sum(amount_micro_usd), 0) AS sum FROM reservation
       WHERE organization_id = $1 AND state = 'active' AND expires_at > app_now()`,
      organizationId,
    );
  }

  /**
   * Locks the account of a reservation, then settles or releases the reservation. An expired reservation can still be settled, because
   * bytes that were delivered are charged. `FOR UPDATE` reads the reservation's row as the previous holder of the account's lock committed
   * it. Without it, the statement would read the row as it was before the statement waited for that lock.
   * @param actualBytes null to release.
   * @returns null when the reservation does not exist or is already resolved.
   */
  async resolve(ctx: RequestContext, id: string, actualBytes: number | null): Promise<ResolvedReservation | null> {
    const resolved = await one<ResolvedRow>(
      this.transactions.manager(ctx),
      `WITH account AS MATERIALIZED (${this.accounts.lockedSelect(ctx, OF_RESERVATION)}),
       old AS MATERIALIZED (
         SELECT r.id, r.state FROM account, reservation r WHERE r.id = $1 FOR UPDATE OF r),
       resolved AS (
         UPDATE reservation r SET state = CASE WHEN $2::bigint IS NULL THEN 'released' ELSE 'settled' END,
                actual_bytes = $2::bigint, resolved_at = app_now()
         FROM old
         WHERE r.id = old.id AND (old.state = 'active' OR (old.state = 'expired' AND $2::bigint IS NOT NULL))
         RETURNING r.kind, r.metered, r.holder IS NOT NULL AS unheld, CASE old.state WHEN 'active' THEN r.amount_micro_usd ELSE 0 END AS held)
       SELECT account.*, resolved.kind, resolved.metered AS "isMetered", resolved.unheld AS "isUnheld", resolved.held FROM account, resolved`,
      [id, actualBytes],
    );
    if (!resolved) return null;
    const { kind, isMetered, isUnheld, held, ...account } = resolved;
    return { account: this.accounts.fromRow(account), kind, isMetered, isUnheld, heldMicroUsd: BigInt(held) };
  }

  /** Releases active reservations. Does not lock their accounts first, so no other transaction may change them. */
  async releaseMany(tx: RequestContext, ids: readonly string[]): Promise<void> {
    await rows(
      this.transactions.manager(tx),
      `WITH released AS (
         UPDATE reservation SET state = 'released', resolved_at = app_now()
         WHERE id = ANY ($1::uuid[]) AND state = 'active' RETURNING organization_id, amount_micro_usd)
       UPDATE billing_account a SET reserved_micro_usd = a.reserved_micro_usd - held.amount
       FROM (SELECT organization_id, sum(amount_micro_usd) AS amount FROM released GROUP BY 1) AS held
       WHERE a.organization_id = held.organization_id`,
      [ids],
    );
  }

  /** Extends a reservation to 30 minutes from now, or to `until` if that is later. False when it has expired or is resolved. */
  async extend(ctx: RequestContext, id: string, until: Date | null): Promise<boolean> {
    const count = await changed(
      this.transactions.manager(ctx),
      `UPDATE reservation SET expires_at = greatest(app_now() + make_interval(mins => $2), $3::timestamptz)
       WHERE id = $1 AND state = 'active' AND expires_at > app_now()`,
      [id, RESERVATION_MINUTES, until],
    );
    return count === 1;
  }

  /** Marks the expired reservations of an organization. The transaction must hold the account's lock. @returns the sum they held. */
  async expire(ctx: RequestContext, organizationId: string): Promise<bigint> {
    return this.sum(
      ctx,
      `WITH expired AS (
         UPDATE reservation SET state = 'expired', resolved_at = app_now()
         WHERE organization_id = $1 AND state = 'active' AND expires_at <= app_now() RETURNING amount_micro_usd)
       SELECT coalesce(sum(amount_micro_usd), 0) AS sum FROM expired`,
      organizationId,
    );
  }

  /** Ids of the organizations with expired reservations that are not marked. */
  async findOrganizationsWithExpired(ctx: RequestContext): Promise<readonly string[]> {
    const organizations = await rows<{ organizationId: string }>(
      this.transactions.manager(ctx),
      `SELECT DISTINCT organization_id AS "organizationId" FROM reservation
       WHERE state = 'active' AND expires_at <= (SELECT app_now())`,
    );
    return organizations.map(({ organizationId }) => organizationId);
  }

  /** The number and the sum of the open reservations of all organizations. */
  async totalActive(ctx: RequestContext): Promise<{ readonly count: number; readonly amountMicroUsd: string }> {
    const totals = await one<{ count: number; amountMicroUsd: string }>(
      this.transactions.manager(ctx),
      `SELECT count(*)::int AS count, coalesce(sum(amount_micro_usd), 0)::text AS "amountMicroUsd"
       FROM reservation WHERE state = 'active' AND expires_at > (SELECT app_now())`,
    );
    return totals ?? { count: 0, amountMicroUsd: '0' };
  }

  /** Deletes reservations that were resolved more than a week ago. Their costs are in the ledger. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteOlder(this.transactions.manager(ctx), 'reservation', {
      column: 'resolved_at',
      age: `interval '7 days'`,
    });
  }

  private async sum(ctx: RequestContext, statement: string, organizationId: string): Promise<bigint> {
    const row = await one<{ sum: string }>(this.transactions.manager(ctx), statement, [organizationId]);
    return BigInt(row?.sum ?? 0);
  }
}

/**
 * The caller by whom open reservations are counted: a developer or tester through all their credentials, a project access token for
 * itself. The link of a build or channel and an update key are shared by many people, so they count for each client address.
 */
function callerOf({ identity, sourceIp }: RequestContext): string {
  const subject = quotaSubjectOf(identity);
  return isShared(identity) ? `${subject}@${clientNetwork(sourceIp)}` : subject;
}

/**
 * The link, update key or tester whose transfers hold no credit before their first byte: their clients are strangers, who could hold it
 * without a transfer. Null for callers with an account, because their organization knows them and can revoke them.
 */
const unheldBy = ({ identity }: RequestContext): string | null =>
  isWithoutAccount(identity) ? quotaSubjectOf(identity) : null;

const isShared = (identity: Identity): boolean =>
  identity.kind === 'update-key' || (identity.kind === 'invite' && identity.testerId === null);
