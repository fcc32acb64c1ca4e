import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { changed, one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/**
 * A developer or project that exceeded its rate limit at least a hundred times within one hour. It has no foreign keys, so that
 * operators see it after the account is deleted.
 */
@Entity('account_flag')
@Unique('uq_account_flag_hour', ['principal', 'reason', 'hourStart'])
export class AccountFlagEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_account_flag' })
  id: string;

  /** `developer:<id>` or `project:<id>`; in rows of earlier releases also `pat:<id>` or `project-token:<id>`. */
  @Column('text')
  principal: string;

  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @Column('text')
  reason: string;

  @Column({ type: 'timestamptz', name: 'hour_start', precision: 3 })
  hourStart: Date;

  @Column({ type: 'timestamptz', name: 'first_seen_at', precision: 3 })
  firstSeenAt: Date;

  @Column({ type: 'timestamptz', name: 'last_seen_at', precision: 3 })
  lastSeenAt: Date;

  /** Number of rejected requests, in multiples of a hundred. */
  @Column('integer')
  hits: number;
}

interface NewAccountFlag {
  readonly principal: string;
  readonly organizationId: string | null;
  readonly reason: 'rate_limit';
  readonly hourStart: Date;
  readonly hits: number;
}

@Injectable()
export class AccountFlagsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Flags a principal for an hour, or adds to the existing flag of that hour. Returns true when the flag is new. */
  async add(ctx: RequestContext, flag: NewAccountFlag): Promise<boolean> {
    const row = await one<{ isNew: boolean }>(
      this.transactions.manager(ctx),
      `INSERT INTO account_flag AS f
         (id, principal, organization_id, reason, hour_start, first_seen_at, last_seen_at, hits)
       VALUES ($1, $2, $3, $4, $5, $6, $6, $7)
       ON CONFLICT (principal, reason, hour_start)
         DO UPDATE SET hits = f.hits + excluded.hits, last_seen_at = greatest(f.last_seen_at, excluded.last_seen_at)
       RETURNING id = $1 AS "isNew"`,
      [newId(), flag.principal, flag.organizationId, flag.reason, flag.hourStart, ctx.clock.now(), flag.hits],
    );
    return row?.isNew === true;
  }

  /**
   * Deletes the flags of principals that have not been flagged for ninety days. Until then all their flags stay, which shows
   * how long the abuse has lasted. Audit events are kept.
   */
  async prune(ctx: RequestContext): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      `DELETE FROM account_flag WHERE principal IN
         (SELECT principal FROM account_flag GROUP BY principal HAVING max(last_seen_at) < app_now() - interval '90 days')`,
    );
  }

  /** Returns the 1000 most recent flags. */
  list(ctx: RequestContext): Promise<AccountFlagEntity[]> {
    return this.transactions.manager(ctx).find(AccountFlagEntity, { order: { lastSeenAt: 'DESC' }, take: 1000 });
  }
}
