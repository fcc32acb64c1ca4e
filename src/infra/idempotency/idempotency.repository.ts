import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { deleteInBatches } from '#infra/database/delete-in-batches';
import { Transactions } from '#infra/database/transactions';

/** One attempt at a logical operation. */
export interface Claim {
  readonly id: Buffer;
  /** Digest of whose it is. */
  readonly owner: Buffer;
  readonly fingerprint: Buffer;
  readonly attempt: string;
}

/** What a claim has to pass. */
export interface ClaimTerms {
  readonly leaseSeconds: number;
  /** Of its owner's answers. */
  readonly maxBytes: number;
}

/** A row of a record and its entries in two indexes, besides the answer. */
const RECORD_BYTES = 500;

/** A key is kept for a day, and so the last of an hour until a day after its end. */
const KEPT_SINCE = `(SELECT app_now() - interval '25 hours')`;

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

  /**
   * Claims the key, or takes over the same request from an attempt whose lease has run out. A new one only while there is room
   * for its owner's answers.
   */
  async claim(ctx: RequestContext, claim: Claim, { leaseSeconds, maxBytes }: ClaimTerms): Promise<boolean> {
    const rows: unknown[] = await this.transactions.manager(ctx).query(
      `INSERT INTO idempotency_record AS r (id, fingerprint, state, attempt, leased_until, created_at)
       SELECT $1, $2, 'in_flight', $3, app_now() + make_interval(secs => $4), app_now()
       WHERE EXISTS (SELECT FROM idempotency_record WHERE id = $1)
          OR (SELECT coalesce(sum(size_bytes), 0) FROM idempotency_volume WHERE owner = $5 AND hour > ${KEPT_SINCE}) < $6
       ON CONFLICT (id) DO UPDATE
         SET fingerprint = excluded.fingerprint, state = 'in_flight', attempt = excluded.attempt, answer = NULL,
             leased_until = excluded.leased_until, created_at = excluded.created_at
         WHERE (r.state = 'in_flight' AND r.leased_until < app_now() AND r.fingerprint = excluded.fingerprint)
            OR r.created_at < app_now() - interval '24 hours'
       RETURNING 1`,
      [claim.id, claim.fingerprint, claim.attempt, leaseSeconds, claim.owner, maxBytes],
    );
    return rows.length === 1;
  }

  /** When there will be room for another answer of an owner; null: now. */
  async secondsUntilRoom(ctx: RequestContext, owner: Buffer, maxBytes: number): Promise<number | null> {
    const rows: { seconds: number | null }[] = await this.transactions.manager(ctx).query(
      `SELECT ceil(extract(epoch FROM max(hour) + interval '25 hours' - app_now()))::int AS seconds
       FROM (SELECT hour, sum(size_bytes) OVER (ORDER BY hour DESC) AS size_since FROM idempotency_volume
             WHERE owner = $1 AND hour > ${KEPT_SINCE}) volume
       WHERE size_since >= $2`,
      [owner, maxBytes],
    );
    return rows[0]?.seconds ?? null;
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

  /**
   * Stores the answer and counts it; false when the claim was lost to another attempt meanwhile. The last statement of its
   * transaction: until that ends, the owner's other answers wait.
   */
  async finish(ctx: RequestContext, claim: Claim, answer: Buffer): Promise<boolean> {
    const rows: unknown[] = await this.transactions.manager(ctx).query(
      `WITH finished AS (
         UPDATE idempotency_record SET state = 'done', answer = $3
         WHERE id = $1 AND attempt = $2 AND state = 'in_flight' RETURNING created_at)
       INSERT INTO idempotency_volume AS v (owner, hour, size_bytes)
       SELECT $4, date_trunc('hour', created_at, 'UTC'), $5 FROM finished
       ON CONFLICT (owner, hour) DO UPDATE SET size_bytes = v.size_bytes + excluded.size_bytes
       RETURNING 1`,
      [claim.id, claim.attempt, answer, claim.owner, RECORD_BYTES + answer.length],
    );
    return rows.length === 1;
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

  /** Forgets what answers took that are older than a day. */
  pruneVolumes(ctx: RequestContext): Promise<void> {
    return deleteInBatches(this.transactions.manager(ctx), 'idempotency_volume', `hour <= ${KEPT_SINCE}`);
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
