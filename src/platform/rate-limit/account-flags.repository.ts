import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids/ids';
import { Transactions } from '#platform/database/transactions';

export interface NewAccountFlag {
  readonly principal: string;
  readonly organizationId: string | null;
  readonly reason: 'rate_limit';
  readonly hourStart: Date;
  readonly hits: number;
}

@Injectable()
export class AccountFlagsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Flags a principal for an hour, or adds to that hour's flag; true when it was not flagged yet. */
  async add(ctx: RequestContext, flag: NewAccountFlag): Promise<boolean> {
    const [row] = await this.transactions.manager(ctx).query<[{ is_new: boolean }]>(
      `INSERT INTO account_flag AS f
         (id, principal, organization_id, reason, hour_start, first_seen_at, last_seen_at, hits)
       VALUES ($1, $2, $3, $4, $5, $6, $6, $7)
       ON CONFLICT (principal, reason, hour_start)
         DO UPDATE SET hits = f.hits + excluded.hits, last_seen_at = greatest(f.last_seen_at, excluded.last_seen_at)
       RETURNING id = $1 AS is_new`,
      [newId(), flag.principal, flag.organizationId, flag.reason, flag.hourStart, ctx.clock.now(), flag.hits],
    );
    return row.is_new;
  }
}
