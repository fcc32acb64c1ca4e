import { Injectable } from '@nestjs/common';
import { type RecordedChange } from '#kernel/audit/change';
import { type RequestContext } from '#kernel/context/request-context';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** Events older than this are not looked for, so that the search reads few partitions of the feed. */
const SEARCHED = `interval '90 days'`;

@Injectable()
export class NewestEventsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The newest event of a type in an organization or one of its projects; null when there is none in the last 90 days. */
  async find(
    ctx: RequestContext,
    organizationId: string,
    projectId: string | null,
    type: string,
  ): Promise<RecordedChange | null> {
    const found = await one<Omit<RecordedChange, 'position'> & { position: string }>(
      this.transactions.manager(ctx),
      `SELECT id, position, type, time, project_id AS "projectId", actor_kind AS "actorKind", actor_id AS "actorId",
              actor_label AS "actorLabel", payload
       FROM audit_event
       WHERE organization_id = $1 AND type = $2 AND ($3::uuid IS NULL OR project_id = $3) AND time > (SELECT app_now() - ${SEARCHED})
       ORDER BY time DESC, id DESC LIMIT 1`,
      [organizationId, type, projectId],
    );
    return found && { ...found, position: Number(found.position) };
  }
}
