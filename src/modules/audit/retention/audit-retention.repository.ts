import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';

/** The nil uuid names the chain of the events that belong to no organization. */
const OF_ACCOUNTS = '00000000-0000-0000-0000-000000000000';

/** What a step of pruning has taken away: places in a chain, both inclusive. */
export interface Pruned {
  readonly first: bigint;
  readonly last: bigint;
}

export interface PruneRequest {
  readonly organizationId: string | null;
  /** What is older goes. */
  readonly before: Date;
  /** The start of a month: what is older than that goes with its partition. */
  readonly droppingBefore: Date;
  /** At most so many events at once. */
  readonly most: number;
}

/** The database's own functions do it, with their owner's rights: no other way leads out of the feed. */
@Injectable()
export class AuditRetentionRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Whose events there are: ids of organizations, in order, and null first for those of accounts. */
  async findOwners(ctx: RequestContext, after: string | null | undefined, limit: number): Promise<(string | null)[]> {
    const rows: { id: string }[] = await this.transactions
      .manager(ctx)
      .query(`SELECT id FROM audit_chain WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2`, [
        after === undefined ? null : (after ?? OF_ACCOUNTS),
        limit,
      ]);
    return rows.map(({ id }) => (id === OF_ACCOUNTS ? null : id));
  }

  /** Makes the partitions of the months between two moments. */
  async addPartitions(ctx: RequestContext, first: Date, last: Date): Promise<void> {
    await this.transactions.manager(ctx).query('SELECT audit_add_partitions($1, $2)', [first, last]);
  }

  /** Takes the oldest events of a chain away; null when none is old enough. */
  async prune(
    ctx: RequestContext,
    { organizationId, before, droppingBefore, most }: PruneRequest,
  ): Promise<Pruned | null> {
    const rows: { first: string; last: string }[] = await this.transactions
      .manager(ctx)
      .query('SELECT first, last FROM audit_prune(audit_chain_id($1), $2, $3, $4)', [
        organizationId,
        before,
        droppingBefore,
        most,
      ]);
    return rows[0] ? { first: BigInt(rows[0].first), last: BigInt(rows[0].last) } : null;
  }

  /** Drops the partitions of the months before a moment, as far as nothing in them is to be kept. */
  async dropPartitions(ctx: RequestContext, before: Date): Promise<string[]> {
    const rows: { name: string }[] = await this.transactions
      .manager(ctx)
      .query('SELECT name FROM audit_drop_partitions($1) AS name', [before]);
    return rows.map(({ name }) => name);
  }
}
