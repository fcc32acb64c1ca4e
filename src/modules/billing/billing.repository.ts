import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { principalOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids/ids';
import { Transactions } from '#platform/database/transactions';
import { BillingAccountEntity } from './billing-account.entity';
import { type Plan } from './plan';
import { type AdmissionRequest, type Reservation, RESERVATION_MINUTES } from './reservation';

@Injectable()
export class BillingRepository {
  constructor(private readonly transactions: Transactions) {}

  async insertAccount(ctx: RequestContext, organizationId: string, plan: Plan): Promise<void> {
    await this.transactions.manager(ctx).insert(BillingAccountEntity, { organizationId, plan });
  }

  async findPlans(ctx: RequestContext, organizationIds: readonly string[]): Promise<ReadonlyMap<string, Plan>> {
    const accounts = await this.transactions
      .manager(ctx)
      .findBy(BillingAccountEntity, { organizationId: In([...organizationIds]) });
    return new Map(accounts.map((account) => [account.organizationId, account.plan]));
  }

  /**
   * Holds room. Calls of one principal take their turn (the lock is a statement of its own, so that the count sees what
   * the call before has committed): no number of parallel calls passes the limit (reliability: X1). Reservations that have
   * run out count no more, whether or not a job has seen them yet.
   * @returns null when the principal holds too many already.
   */
  async reserve(ctx: RequestContext, request: AdmissionRequest, maxOpen: number): Promise<Reservation | null> {
    const manager = this.transactions.manager(ctx);
    const id = newId();
    const principal = principalOf(ctx.identity);
    await this.transactions.takeTurn(ctx, `reservations|${principal}`);
    const rows: { expires_at: Date }[] = await manager.query(
      `INSERT INTO reservation (id, organization_id, principal, kind, size_bytes, state, created_at, expires_at)
       SELECT $1, $2, $3, $4, $5, 'active', app_now(), app_now() + make_interval(mins => $6)
       WHERE (SELECT count(*) FROM reservation WHERE principal = $3 AND state = 'active' AND expires_at > app_now()) < $7
       RETURNING expires_at`,
      [id, request.organizationId, principal, request.kind, request.sizeBytes, RESERVATION_MINUTES, maxOpen],
    );
    return rows[0] ? { id, expiresAt: rows[0].expires_at } : null;
  }

  /** Moves a reservation to its end; false when it was there before. What was really taken is booked even after it ran out. */
  async resolve(ctx: RequestContext, id: string, actualBytes: number | null): Promise<boolean> {
    const [, changed]: [unknown, number] = await this.transactions.manager(ctx).query(
      `UPDATE reservation SET state = CASE WHEN $2::bigint IS NULL THEN 'released' ELSE 'settled' END,
                actual_bytes = $2::bigint, resolved_at = app_now()
         WHERE id = $1 AND state = 'active'`,
      [id, actualBytes],
    );
    return changed === 1;
  }

  /** Keeps a reservation that is in use from running out. */
  async extend(ctx: RequestContext, id: string): Promise<void> {
    await this.transactions
      .manager(ctx)
      .query(
        `UPDATE reservation SET expires_at = app_now() + make_interval(mins => $2) WHERE id = $1 AND state = 'active'`,
        [id, RESERVATION_MINUTES],
      );
  }

  async releaseExpired(ctx: RequestContext): Promise<number> {
    const [, changed]: [unknown, number] = await this.transactions
      .manager(ctx)
      .query(
        `UPDATE reservation SET state = 'released', resolved_at = app_now() WHERE state = 'active' AND expires_at <= app_now()`,
      );
    return changed;
  }
}
