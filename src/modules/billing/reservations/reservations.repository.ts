import { Injectable } from '@nestjs/common';
import { quotaSubjectOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { deleteInBatches } from '#infra/database/delete-in-batches';
import { Transactions } from '#infra/database/transactions';
import {
  type AdmissionRequest,
  type MeteredKind,
  type Reservation,
  RESERVATION_MINUTES,
  type ResolvedReservation,
} from './reservation';

/** What an admission has to pass. */
export interface AdmissionTerms {
  readonly amountMicroUsd: bigint;
  /** Of whoever asks, through all their credentials together. */
  readonly maxOpen: number;
}

interface ResolvedRow {
  readonly organization_id: string;
  readonly kind: MeteredKind;
  readonly held: string;
  readonly metered: boolean;
}

const OPEN_OF_PARTY = `SELECT count(*) FROM reservation
  WHERE principal = $3 AND metered AND state = 'active' AND expires_at > app_now()`;

const FREE = `CASE plan WHEN 'team' THEN balance_micro_usd - reserved_micro_usd
  ELSE spend_cap_micro_usd - reserved_micro_usd
    - CASE WHEN spent_period = to_char(app_now() AT TIME ZONE 'UTC', 'YYYY-MM') THEN spent_micro_usd ELSE 0 END END`;

/** The account gives the room and the reservation takes it, or neither (performance: §5, one conditional statement). */
const RESERVE = `
  WITH room AS (
    UPDATE billing_account SET reserved_micro_usd = reserved_micro_usd + CASE WHEN metered THEN $6::bigint ELSE 0 END
    WHERE organization_id = $2
      AND (NOT metered OR (($6::bigint = 0 OR coalesce($6::bigint <= ${FREE}, true)) AND (${OPEN_OF_PARTY}) < $8))
    RETURNING metered)
  INSERT INTO reservation (id, organization_id, principal, kind, size_bytes, amount_micro_usd, metered, state, created_at, expires_at)
  SELECT $1, $2, $3, $4, $5, CASE WHEN metered THEN $6::bigint ELSE 0 END, metered, 'active', app_now(),
         app_now() + make_interval(mins => $7)
  FROM room RETURNING expires_at`;

@Injectable()
export class ReservationsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Calls of one party take their turn, so that its open reservations are counted exactly (reliability: X1). */
  advisoryLock(ctx: RequestContext): Promise<void> {
    return this.transactions.advisoryLock(ctx, `reservations|${quotaSubjectOf(ctx.identity)}`);
  }

  /** Holds room, if there is any: null when there is not. */
  async reserve(ctx: RequestContext, request: AdmissionRequest, terms: AdmissionTerms): Promise<Reservation | null> {
    const id = newId();
    const { organizationId, kind, sizeBytes } = request;
    const rows: { expires_at: Date }[] = await this.transactions
      .manager(ctx)
      .query(RESERVE, [
        id,
        organizationId,
        quotaSubjectOf(ctx.identity),
        kind,
        sizeBytes,
        String(terms.amountMicroUsd),
        RESERVATION_MINUTES,
        terms.maxOpen,
      ]);
    return rows[0] ? { id, expiresAt: rows[0].expires_at } : null;
  }

  async countOpen(ctx: RequestContext): Promise<number> {
    const rows: { count: number }[] = await this.transactions
      .manager(ctx)
      .query(`SELECT (${OPEN_OF_PARTY.replace('$3', '$1')})::int AS count`, [quotaSubjectOf(ctx.identity)]);
    return rows[0]?.count ?? 0;
  }

  /** What an organization's reservations hold, by the clock: what has run out holds nothing. */
  async sumOpen(ctx: RequestContext, organizationId: string): Promise<bigint> {
    const rows: { sum: string }[] = await this.transactions.manager(ctx).query(
      `SELECT coalesce(sum(amount_micro_usd), 0) AS sum FROM reservation
         WHERE organization_id = $1 AND state = 'active' AND expires_at > app_now()`,
      [organizationId],
    );
    return BigInt(rows[0]?.sum ?? 0);
  }

  /**
   * Moves a reservation to its end, the account's lock being held; null when it is there already. One that has run out can
   * still be settled: what was taken is booked.
   * @param actualBytes null: the transfer did not happen.
   */
  async resolve(ctx: RequestContext, id: string, actualBytes: number | null): Promise<ResolvedReservation | null> {
    const [rows]: [ResolvedRow[], number] = await this.transactions.manager(ctx).query(
      `UPDATE reservation r SET state = CASE WHEN $2::bigint IS NULL THEN 'released' ELSE 'settled' END,
              actual_bytes = $2::bigint, resolved_at = app_now()
       FROM reservation old
       WHERE r.id = $1 AND old.id = r.id AND (r.state = 'active' OR (r.state = 'expired' AND $2::bigint IS NOT NULL))
       RETURNING r.organization_id, r.kind, r.metered, CASE old.state WHEN 'active' THEN r.amount_micro_usd ELSE 0 END AS held`,
      [id, actualBytes],
    );
    const [row] = rows;
    if (!row) return null;
    const { organization_id: organizationId, kind, held, metered } = row;
    return { organizationId, kind, metered, heldMicroUsd: BigInt(held) };
  }

  /** Keeps a reservation that is in use from running out; false when it has run out already. */
  async extend(ctx: RequestContext, id: string): Promise<boolean> {
    const [, changed]: [unknown, number] = await this.transactions.manager(ctx).query(
      `UPDATE reservation SET expires_at = app_now() + make_interval(mins => $2)
         WHERE id = $1 AND state = 'active' AND expires_at > app_now()`,
      [id, RESERVATION_MINUTES],
    );
    return changed === 1;
  }

  /** Ends the reservations of an organization that have run out, the account's lock being held. @returns what they held. */
  async expire(ctx: RequestContext, organizationId: string): Promise<bigint> {
    const rows: { sum: string }[] = await this.transactions.manager(ctx).query(
      `WITH expired AS (
         UPDATE reservation SET state = 'expired', resolved_at = app_now()
         WHERE organization_id = $1 AND state = 'active' AND expires_at <= app_now() RETURNING amount_micro_usd)
       SELECT coalesce(sum(amount_micro_usd), 0) AS sum FROM expired`,
      [organizationId],
    );
    return BigInt(rows[0]?.sum ?? 0);
  }

  async findOrganizationsWithExpired(ctx: RequestContext): Promise<readonly string[]> {
    const rows: { organization_id: string }[] = await this.transactions
      .manager(ctx)
      .query(`SELECT DISTINCT organization_id FROM reservation WHERE state = 'active' AND expires_at <= app_now()`);
    return rows.map(({ organization_id }) => organization_id);
  }

  /** What is held at this moment, of all organizations. */
  async totalActive(ctx: RequestContext): Promise<{ readonly count: number; readonly amountMicroUsd: string }> {
    const [totals] = await this.transactions.manager(ctx).query<[{ count: number; amountMicroUsd: string }]>(
      `SELECT count(*)::int AS count, coalesce(sum(amount_micro_usd), 0)::text AS "amountMicroUsd"
       FROM reservation WHERE state = 'active' AND expires_at > app_now()`,
    );
    return totals;
  }

  /** Forgets what was resolved more than a week ago: the ledger has what it cost. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteInBatches(
      this.transactions.manager(ctx),
      'reservation',
      `resolved_at < (SELECT app_now() - interval '7 days')`,
    );
  }
}
