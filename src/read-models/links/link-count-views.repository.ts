import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type LinkCounts, LinkCountViews, MAX_LINK_COUNT } from '#modules/install-links';

@Injectable()
export class LinkCountViewsRepository extends LinkCountViews {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  async count(ctx: RequestContext, linkIds: readonly string[]): Promise<ReadonlyMap<string, LinkCounts>> {
    const counted = await rows<LinkCounts & { readonly id: string }>(
      this.transactions.manager(ctx),
      `SELECT l.id, count(*)::int AS downloads, count(DISTINCT d.tester_id)::int AS testers
       FROM unnest($1::uuid[]) AS l (id)
       CROSS JOIN LATERAL (SELECT tester_id FROM build_download WHERE link_id = l.id LIMIT ${MAX_LINK_COUNT}) d
       GROUP BY l.id`,
      [linkIds],
    );
    return new Map(counted.map(({ id, ...counts }) => [id, counts]));
  }
}
