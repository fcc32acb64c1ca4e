import { Injectable } from '@nestjs/common';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, deleteOlder, one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/**
 * A count of failed logins, of wrong codes of device logins, or of wrong passwords and codes of install links. It exists for addresses
 * with and without an account alike.
 */
@Entity('failed_login')
@Index('ix_failed_login_ends_at', ['endsAt'])
export class FailedLoginEntity {
  /**
   * A keyed digest of the counted subject: an e-mail address, an address and a network, or an address and a device; for wrong codes, a
   * developer or a network; for install links, a link or a network.
   */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_failed_login' })
  digest: Buffer;

  @Column('integer')
  failures: number;

  /** When the count starts again from zero. */
  @Column({ type: 'timestamptz', name: 'ends_at', precision: 3 })
  endsAt: Date;
}

/** A count of failed logins and its limit. */
export interface FailureCounter {
  readonly digest: Buffer;
  /** The number of failures after which the limit is reached. */
  readonly allowed: number;
  /** The length of the window, which begins with the first failure. */
  readonly windowSeconds: number;
}

@Injectable()
export class FailedLoginsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Returns the seconds until no counter is at its limit; 0 when none is. */
  async secondsAtLimit(ctx: RequestContext, counters: readonly FailureCounter[]): Promise<number> {
    const row = await one<{ seconds: number | null }>(
      this.transactions.manager(ctx),
      `SELECT max(ceil(extract(epoch FROM f.ends_at - app_now())))::int AS seconds
       FROM unnest($1::bytea[], $2::int[]) AS c (digest, allowed)
       JOIN failed_login f ON f.digest = c.digest
       WHERE f.failures >= c.allowed AND f.ends_at > app_now()`,
      [counters.map(({ digest }) => digest), counters.map(({ allowed }) => allowed)],
    );
    return row?.seconds ?? 0;
  }

  /** Adds a failure and locks the counter until the transaction ends. @returns the number of failures in the window. */
  async add(tx: RequestContext, { digest, windowSeconds }: FailureCounter): Promise<number> {
    const row = await one<{ failures: number }>(
      this.transactions.manager(tx),
      `INSERT INTO failed_login AS f (digest, failures, ends_at)
       VALUES ($1, 1, app_now() + make_interval(secs => $2))
       ON CONFLICT (digest) DO UPDATE SET
         failures = CASE WHEN f.ends_at > app_now() THEN f.failures + 1 ELSE 1 END,
         ends_at = CASE WHEN f.ends_at > app_now() THEN f.ends_at ELSE excluded.ends_at END
       RETURNING failures`,
      [digest, windowSeconds],
    );
    return row!.failures;
  }

  async clear(tx: RequestContext, { digest }: FailureCounter): Promise<void> {
    await changed(this.transactions.manager(tx), 'DELETE FROM failed_login WHERE digest = $1', [digest]);
  }

  /** Deletes counts that ended an hour ago. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteOlder(this.transactions.manager(ctx), 'failed_login', { column: 'ends_at', age: `interval '1 hour'` });
  }
}
