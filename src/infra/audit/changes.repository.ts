import { Injectable } from '@nestjs/common';
import { type RecordedChange } from '#kernel/audit/change';
import { type RequestContext } from '#kernel/context/request-context';
import { ONE_PLAN } from '#infra/database/pool/statement-names';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** The events of an organization after a position, up to and including another. */
export interface ChainSpan {
  readonly organizationId: string;
  readonly after: number;
  readonly until: number;
}

/** The newest events of an organization, as far as they were recorded since a time. */
export interface RecentSpan {
  readonly organizationId: string;
  /** The position of the newest event. */
  readonly head: number;
  readonly since: Date;
  /** The maximum number of events. */
  readonly most: number;
}

/** Reads the audit chains of organizations, whose positions are consecutive in commit order (docs/decisions/0016-audit-chain.md). */
@Injectable()
export class ChangesRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The position of the newest event of each organization. Organizations without events are left out. */
  async heads(ctx: RequestContext, organizationIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const heads = await rows<{ id: string; position: string }>(
      this.transactions.manager(ctx),
      'SELECT id, position FROM audit_chain WHERE id = ANY ($1)',
      [organizationIds],
    );
    return new Map(heads.map(({ id, position }) => [id, Number(position)]));
  }

  /**
   * The position before the events of a span; its head when no event is as young.
   *
   * The time of an event is when its process recorded it, but a reader sees it when its transaction commits. An event that was recorded
   * before `since` and committed after it may be left out, so a caller adds the seconds that transactions take and that clocks of
   * processes differ. The dashboard requests 15 seconds, and reads everything again when its stream takes more than half of them to open:
   * seven seconds remain, which is enough for requests. The change of a longer job may stay unseen until the data is read again.
   */
  async positionBefore(ctx: RequestContext, { organizationId, head, since, most }: RecentSpan): Promise<number> {
    const first = await one<{ position: string | null }>(
      this.transactions.manager(ctx),
      `SELECT min(position) AS position FROM audit_event
       WHERE audit_chain_id(organization_id) = $1 AND position > $2 AND position <= $3 AND time >= $4`,
      [organizationId, head - most, head, since],
    );
    return first?.position ? Number(first.position) - 1 : head;
  }

  /** The events of several organizations, each within its span, in their order. @returns those of each organization, by its id. */
  async within(
    ctx: RequestContext,
    spans: readonly ChainSpan[],
  ): Promise<ReadonlyMap<string, readonly RecordedChange[]>> {
    const changes = new Map<string, RecordedChange[]>(spans.map(({ organizationId }) => [organizationId, []]));
    if (spans.length === 0) return changes;
    const events = await rows<Omit<RecordedChange, 'position'> & { organizationId: string; position: string }>(
      this.transactions.manager(ctx),
      `SELECT s.id AS "organizationId", e.* FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS s (id, after, until)
       CROSS JOIN LATERAL (
         SELECT id, position, type, time, project_id AS "projectId", actor_kind AS "actorKind", actor_id AS "actorId",
                actor_label AS "actorLabel", payload
         FROM audit_event
         WHERE audit_chain_id(organization_id) = s.id AND position > s.after AND position <= s.until ORDER BY position
       ) e ${ONE_PLAN}`,
      [
        spans.map(({ organizationId }) => organizationId),
        spans.map(({ after }) => after),
        spans.map(({ until }) => until),
      ],
    );
    for (const { organizationId, position, ...event } of events)
      changes.get(organizationId)?.push({ ...event, position: Number(position) });
    return changes;
  }
}
