import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { inPage, pageParameters, type ShardPage } from '#infra/jobs/shards/shard';

/** The id of the chain of account events, which belong to no organization. */
export const ACCOUNT_CHAIN = '00000000-0000-0000-0000-000000000000';

/** The chain positions that one batch has deleted, both inclusive. */
export interface Pruned {
  readonly first: bigint;
  readonly last: bigint;
}

export interface PruneRequest {
  readonly organizationId: string | null;
  /** Older events are deleted. */
  readonly before: Date;
  /** The start of a month. Older events are deleted together with their partition. */
  readonly droppingBefore: Date;
  /** The maximum number of events in one batch. */
  readonly limit: number;
}

/** Deletes events through database functions that run with the rights of their owner. The application's role cannot delete events. */
@Injectable()
export class AuditRetentionRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The ids of the chains of a page: `ACCOUNT_CHAIN`, and those of the organizations that have events. */
  async findChains(ctx: RequestContext, page: ShardPage): Promise<readonly string[]> {
    const chains = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT id FROM audit_chain WHERE ${inPage('id', 1)} ORDER BY id LIMIT $3`,
      [...pageParameters(page), page.limit],
    );
    return chains.map(({ id }) => id);
  }

  /** Creates the partitions for all months between two times. */
  async addPartitions(ctx: RequestContext, first: Date, last: Date): Promise<void> {
    await rows(this.transactions.manager(ctx), 'SELECT audit_add_partitions($1, $2)', [first, last]);
  }

  /** Deletes a batch of the oldest events of a chain; null when none is old enough. */
  async prune(
    ctx: RequestContext,
    { organizationId, before, droppingBefore, limit }: PruneRequest,
  ): Promise<Pruned | null> {
    const pruned = await one<{ first: string; last: string }>(
      this.transactions.manager(ctx),
      'SELECT first, last FROM audit_prune(audit_chain_id($1), $2, $3, $4)',
      [organizationId, before, droppingBefore, limit],
    );
    return pruned && { first: BigInt(pruned.first), last: BigInt(pruned.last) };
  }

  /** Drops the partitions of the months before a time, except those with events that must be kept. */
  async dropPartitions(ctx: RequestContext, before: Date): Promise<void> {
    await rows(this.transactions.manager(ctx), 'SELECT audit_drop_partitions($1)', [before]);
  }
}
