import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { Transactions } from '#infra/database/transactions';
import { AccountFlagEntity } from './account-flag.entity';

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

  /**
   * Forgets accounts that have not been flagged for ninety days. Until then all their flags stay, so that whoever looks at a
   * flood sees how long it has been going on. The audit events stay in any case.
   */
  async prune(ctx: RequestContext): Promise<void> {
    await this.transactions.manager(ctx).query(
      `DELETE FROM account_flag WHERE principal IN
         (SELECT principal FROM account_flag GROUP BY principal HAVING max(last_seen_at) < app_now() - interval '90 days')`,
    );
  }

  /** The thousand that were seen last. */
  list(ctx: RequestContext): Promise<AccountFlagEntity[]> {
    return this.transactions.manager(ctx).find(AccountFlagEntity, { order: { lastSeenAt: 'DESC' }, take: 1000 });
  }
}
