import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, deleteInBatches, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** A count of failed logins and its limit. */
export interface FailureCounter {
  readonly digest: Buffer;
  /** The number of failures after which the limit is reached. */
  readonly allowed: number;
  /** The length of the window, which begins with the first failure. */
  readonly windowSeconds: number;
}

const digestsOf = (counters: readonly FailureCounter[]): Buffer[] => counters.map(({ digest }) => digest);

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
      [digestsOf(counters), counters.map(({ allowed }) => allowed)],
    );
    return row?.seconds ?? 0;
  }

  /**
   * Adds a failure to each counter, in their order: every caller must name the counters of one address in the same order, so that two
   * transactions do not wait for each other. @returns true when a counter is now at its limit.
   */
  async add(tx: RequestContext, counters: readonly FailureCounter[]): Promise<boolean> {
    const counted = await rows<{ atLimit: boolean }>(
      this.transactions.manager(tx),
      `INSERT INTO failed_login AS f (digest, failures, ends_at)
       SELECT c.digest, 1, app_now() + make_interval(secs => c.seconds)
       FROM unnest($1::bytea[], $2::int[]) WITH ORDINALITY AS c (digest, seconds, n) ORDER BY c.n
       ON CONFLICT (digest) DO UPDATE SET
         failures = CASE WHEN f.ends_at > app_now() THEN f.failures + 1 ELSE 1 END,
         ends_at = CASE WHEN f.ends_at > app_now() THEN f.ends_at ELSE excluded.ends_at END
       RETURNING failures >= ($3::jsonb ->> encode(digest, 'hex'))::int AS "atLimit"`,
      [
        digestsOf(counters),
        counters.map(({ windowSeconds }) => windowSeconds),
        JSON.stringify(Object.fromEntries(counters.map(({ digest, allowed }) => [digest.toString('hex'), allowed]))),
      ],
    );
    return counted.some(({ atLimit }) => atLimit);
  }

  async clear(tx: RequestContext, counters: readonly FailureCounter[]): Promise<void> {
    const manager = this.transactions.manager(tx);
    await changed(manager, 'DELETE FROM failed_login WHERE digest = ANY ($1)', [digestsOf(counters)]);
  }

  /** Deletes counts that ended an hour ago. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteInBatches(
      this.transactions.manager(ctx),
      'failed_login',
      `ends_at < (SELECT app_now() - interval '1 hour')`,
    );
  }
}
