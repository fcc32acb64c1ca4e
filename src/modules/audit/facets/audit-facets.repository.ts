import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type Range } from '../feed/recorded-event';

/** The number of events that have a type, an actor or a day in common: the other two are null. */
export interface EventCount {
  readonly type: string | null;
  readonly actorKind: string | null;
  readonly actorId: string | null;
  readonly actorLabel: string | null;
  readonly day: string | null;
  readonly count: number;
}

@Injectable()
export class AuditFacetsRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Reads the range once, and groups it once: the three lists are made of the groups. Holders of install links may be thousands, so they are
   * not counted as actors.
   */
  count(
    ctx: RequestContext,
    { organizationId, projectId }: { organizationId: string; projectId?: string | undefined },
    { from, to }: Range,
  ): Promise<EventCount[]> {
    return rows<EventCount>(
      this.transactions.manager(ctx),
      `SELECT type, actor_kind AS "actorKind", actor_id AS "actorId", max(actor_label) AS "actorLabel",
              to_char(day, 'YYYY-MM-DD') AS day, sum(count)::int AS count
       FROM (
         SELECT type, nullif(actor_kind, 'invite') AS actor_kind, CASE WHEN actor_kind <> 'invite' THEN actor_id END AS actor_id,
                max(actor_label) AS actor_label, (time AT TIME ZONE 'UTC')::date AS day, count(*) AS count
         FROM audit_event
         WHERE organization_id = $1 AND time >= $2 AND time < $3 AND ($4::uuid IS NULL OR project_id = $4)
         GROUP BY 1, 2, 3, 5
       ) AS event
       GROUP BY GROUPING SETS ((type), (actor_kind, actor_id), (day))
       HAVING num_nonnulls(type, actor_kind, day) > 0
       ORDER BY count DESC, type, actor_id, day DESC`,
      [organizationId, from, to, projectId ?? null],
    );
  }
}
