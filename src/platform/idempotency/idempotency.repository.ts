import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { deleteInBatches } from '#platform/database/delete-in-batches';
import { Transactions } from '#platform/database/transactions';

/** One attempt at a logical operation. */
export interface Claim {
  readonly id: Buffer;
  readonly fingerprint: Buffer;
  readonly attempt: string;
}

/** What stands in the way of a claim. */
export interface Holder {
  readonly fingerprint: Buffer;
  readonly state: 'in_flight' | 'done';
  readonly answer: Buffer | null;
}

/** Leases are told by the database's clock, so that processes whose clocks differ agree. */
@Injectable()
export class IdempotencyRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Claims the key, or takes over the same request from an attempt whose lease has run out. */
  async claim(ctx: RequestContext, claim: Claim, leaseSeconds: number): Promise<boolean> {
    const rows: unknown[] = await this.transactions.manager(ctx).query(
      `INSERT INTO idempotency_record AS r (id, fingerprint, state, attempt, leased_until, created_at)
       VALUES ($1, $2, 'in_flight', $3, app_now() + make_interval(secs => $4), app_now())
       ON CONFLICT (id) DO UPDATE
         SET fingerprint = excluded.fingerprint, state = 'in_flight', attempt = excluded.attempt, answer = NULL,
             leased_until = excluded.leased_until, created_at = excluded.created_at
         WHERE (r.state = 'in_flight' AND r.leased_until < app_now() AND r.fingerprint = excluded.fingerprint)
            OR r.created_at < app_now() - interval '24 hours'
       RETURNING 1`,
      [claim.id, claim.fingerprint, claim.attempt, leaseSeconds],
    );
    return rows.length === 1;
  }

  async find(ctx: RequestContext, id: Buffer): Promise<Holder | null> {
    const rows: Holder[] = await this.transactions
      .manager(ctx)
      .query('SELECT fingerprint, state, answer FROM idempotency_record WHERE id = $1', [id]);
    return rows[0] ?? null;
  }

  /** The answer to this very request, unless it is a day old. */
  async findAnswer(ctx: RequestContext, asked: Pick<Claim, 'id' | 'fingerprint'>): Promise<Buffer | null> {
    const rows: { answer: Buffer }[] = await this.transactions.manager(ctx).query(
      `SELECT answer FROM idempotency_record
         WHERE id = $1 AND fingerprint = $2 AND state = 'done' AND created_at >= app_now() - interval '24 hours'`,
      [asked.id, asked.fingerprint],
    );
    return rows[0]?.answer ?? null;
  }

  /** Stores the answer; false when the claim was lost to another attempt meanwhile. */
  async finish(ctx: RequestContext, claim: Claim, answer: Buffer): Promise<boolean> {
    const [, changed]: [unknown, number] = await this.transactions
      .manager(ctx)
      .query(
        `UPDATE idempotency_record SET state = 'done', answer = $3 WHERE id = $1 AND attempt = $2 AND state = 'in_flight'`,
        [claim.id, claim.attempt, answer],
      );
    return changed === 1;
  }

  async renew(ctx: RequestContext, claim: Claim, leaseSeconds: number): Promise<void> {
    await this.transactions.manager(ctx).query(
      `UPDATE idempotency_record SET leased_until = app_now() + make_interval(secs => $3)
         WHERE id = $1 AND attempt = $2 AND state = 'in_flight'`,
      [claim.id, claim.attempt, leaseSeconds],
    );
  }

  /** Frees the key: the attempt had no effect. */
  async release(ctx: RequestContext, claim: Claim): Promise<void> {
    await this.transactions
      .manager(ctx)
      .query(`DELETE FROM idempotency_record WHERE id = $1 AND attempt = $2 AND state = 'in_flight'`, [
        claim.id,
        claim.attempt,
      ]);
  }

  /** Forgets answers older than a day. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteInBatches(
      this.transactions.manager(ctx),
      'idempotency_record',
      `created_at < (SELECT app_now() - interval '24 hours')`,
    );
  }
}
