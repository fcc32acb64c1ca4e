import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, deleteInBatches, deleteOlder, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** A claimed key and, once its effect is committed, the sealed response. */
@Entity('idempotency_record')
@Check('ck_idempotency_record_answer', `(state = 'done') = (answer IS NOT NULL)`)
@Index('ix_idempotency_record_created_at', ['createdAt'])
export class IdempotencyRecordEntity {
  /** SHA-256 of owner, method, route and key. It reveals none of them. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'pk_idempotency_record' })
  id: Buffer;

  /** SHA-256 of the request's path, query and body. */
  @Column({ type: 'bytea' })
  fingerprint: Buffer;

  @Column('text')
  state: 'in_flight' | 'done';

  /** The attempt that holds the claim. Only this attempt may finish or renew it. */
  @Column('uuid')
  attempt: string;

  @Column({ type: 'timestamptz', name: 'leased_until', precision: 3 })
  leasedUntil: Date;

  @Column('bytea', { nullable: true })
  answer: Buffer | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

/** The size of the responses that are stored for one owner, summed per hour. */
@Entity('idempotency_volume')
@Check('ck_idempotency_volume_size', 'size_bytes > 0')
@Index('ix_idempotency_volume_hour', ['hour'])
export class IdempotencyVolumeEntity {
  /** SHA-256 of the owner. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'pk_idempotency_volume' })
  owner: Buffer;

  /** Start of the hour in which the keys were claimed. Their records are deleted within a day of its end. */
  @PrimaryColumn({
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'pk_idempotency_volume',
  })
  hour: Date;

  @Column('bigint', { name: 'size_bytes' })
  sizeBytes: string;
}

/** One attempt at a logical operation. */
export interface Claim {
  readonly id: Buffer;
  /** Digest of the owner of the key. */
  readonly owner: Buffer;
  readonly fingerprint: Buffer;
  readonly attempt: string;
}

interface ClaimTerms {
  readonly leaseSeconds: number;
  /** Limit of the responses that are stored for the owner. */
  readonly maxBytes: number;
}

/** Size of a record and of its entries in two indexes, without the response. */
const RECORD_BYTES = 500;

/** Records live for 24 hours, so the last record of an hour expires 25 hours after the hour's start. */
const VOLUME_EXPIRY = `(SELECT app_now() - interval '25 hours')`;

/** The record that a claim conflicts with. */
interface ExistingRecord {
  readonly fingerprint: Buffer;
  readonly state: 'in_flight' | 'done';
  readonly answer: Buffer | null;
}

/** Leases use the database's clock, so processes with different clocks agree on them. */
@Injectable()
export class IdempotencyRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Claims the key, or takes over an attempt at the same request after its lease has expired. A new record is inserted only
   * while the owner's stored responses are below the limit.
   */
  async claim(ctx: RequestContext, claim: Claim, { leaseSeconds, maxBytes }: ClaimTerms): Promise<boolean> {
    const claimed = await rows(
      this.transactions.manager(ctx),
      `INSERT INTO idempotency_record AS r (id, fingerprint, state, attempt, leased_until, created_at)
       SELECT $1, $2, 'in_flight', $3, app_now() + make_interval(secs => $4), app_now()
       WHERE EXISTS (SELECT FROM idempotency_record WHERE id = $1)
          OR (SELECT coalesce(sum(size_bytes), 0) FROM idempotency_volume
              WHERE owner = $5 AND hour > ${VOLUME_EXPIRY}) < $6
       ON CONFLICT (id) DO UPDATE
         SET fingerprint = excluded.fingerprint, state = 'in_flight', attempt = excluded.attempt, answer = NULL,
             leased_until = excluded.leased_until, created_at = excluded.created_at
         WHERE (r.state = 'in_flight' AND r.leased_until < app_now() AND r.fingerprint = excluded.fingerprint)
            OR r.created_at < app_now() - interval '24 hours'
       RETURNING 1`,
      [claim.id, claim.fingerprint, claim.attempt, leaseSeconds, claim.owner, maxBytes],
    );
    return claimed.length === 1;
  }

  /** Seconds until another response of the owner may be stored; null when one may be stored now. */
  async secondsUntilRoom(ctx: RequestContext, owner: Buffer, maxBytes: number): Promise<number | null> {
    const row = await one<{ seconds: number | null }>(
      this.transactions.manager(ctx),
      `SELECT ceil(extract(epoch FROM max(hour) + interval '25 hours' - app_now()))::int AS seconds
       FROM (SELECT hour, sum(size_bytes) OVER (ORDER BY hour DESC) AS size_since FROM idempotency_volume
             WHERE owner = $1 AND hour > ${VOLUME_EXPIRY}) volume
       WHERE size_since >= $2`,
      [owner, maxBytes],
    );
    return row?.seconds ?? null;
  }

  find(ctx: RequestContext, id: Buffer): Promise<ExistingRecord | null> {
    return one(
      this.transactions.manager(ctx),
      'SELECT fingerprint, state, answer FROM idempotency_record WHERE id = $1',
      [id],
    );
  }

  /** The sealed response to a request with this fingerprint, if it is less than 24 hours old. */
  async findResponse(ctx: RequestContext, { id, fingerprint }: Pick<Claim, 'id' | 'fingerprint'>) {
    const row = await one<{ answer: Buffer }>(
      this.transactions.manager(ctx),
      `SELECT answer FROM idempotency_record
       WHERE id = $1 AND fingerprint = $2 AND state = 'done' AND created_at >= app_now() - interval '24 hours'`,
      [id, fingerprint],
    );
    return row?.answer ?? null;
  }

  /**
   * Stores the response and adds its size to the owner's volume. False when another attempt has taken the claim over. Must be
   * the last statement of its transaction: it locks the owner's volume row, which the owner's other requests contend for.
   */
  async finish(ctx: RequestContext, claim: Claim, answer: Buffer): Promise<boolean> {
    const finished = await rows(
      this.transactions.manager(ctx),
      `WITH finished AS (
         UPDATE idempotency_record SET state = 'done', answer = $3
         WHERE id = $1 AND attempt = $2 AND state = 'in_flight' RETURNING created_at)
       INSERT INTO idempotency_volume AS v (owner, hour, size_bytes)
       SELECT $4, date_trunc('hour', created_at, 'UTC'), $5 FROM finished
       ON CONFLICT (owner, hour) DO UPDATE SET size_bytes = v.size_bytes + excluded.size_bytes
       RETURNING 1`,
      [claim.id, claim.attempt, answer, claim.owner, RECORD_BYTES + answer.length],
    );
    return finished.length === 1;
  }

  async renew(ctx: RequestContext, claim: Claim, leaseSeconds: number): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      `UPDATE idempotency_record SET leased_until = app_now() + make_interval(secs => $3)
       WHERE id = $1 AND attempt = $2 AND state = 'in_flight'`,
      [claim.id, claim.attempt, leaseSeconds],
    );
  }

  /** Deletes the claim of an attempt that had no effect, so that the key can be used again. */
  async release(ctx: RequestContext, claim: Claim): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      `DELETE FROM idempotency_record WHERE id = $1 AND attempt = $2 AND state = 'in_flight'`,
      [claim.id, claim.attempt],
    );
  }

  /** Deletes the volumes of hours from which no record is left. */
  pruneVolumes(ctx: RequestContext): Promise<void> {
    return deleteInBatches(this.transactions.manager(ctx), 'idempotency_volume', `hour <= ${VOLUME_EXPIRY}`);
  }

  /** Deletes records that are older than 24 hours. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteOlder(this.transactions.manager(ctx), 'idempotency_record', {
      column: 'created_at',
      age: `interval '24 hours'`,
    });
  }
}
