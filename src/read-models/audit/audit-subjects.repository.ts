import { Injectable } from '@nestjs/common';
import { hasOrganizationRole } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';
import { isUuid } from '#kernel/ids';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { AccessService } from '#modules/access';
import { AuditSubjectViews, subjectIdsOf } from '#modules/audit';

type Events = Parameters<AuditSubjectViews['labelsOf']>[2];

interface Label {
  readonly id: string;
  readonly label: string;
}

/** Longer than an invitation is valid. It bounds the partitions of the feed that are read. */
const ACCEPTED_WITHIN_MS = 8 * 86_400_000;

/** Reads the names of what audit events are about. */
@Injectable()
export class AuditSubjectsRepository extends AuditSubjectViews {
  constructor(
    private readonly transactions: Transactions,
    private readonly access: AccessService,
  ) {
    super();
  }

  /**
   * Testers are named to callers who see their project, invitations and personal access tokens to ADMINs. A personal access token of the
   * caller learns no names: its scope allows the feed alone.
   */
  async labelsOf(ctx: RequestContext, organizationId: string, events: Events): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(events.flatMap(subjectIdsOf))].filter(isUuid);
    if (ids.length === 0 || ctx.identity.kind !== 'jwt') return new Map();
    const roles = await this.access.memberRoles(ctx, organizationId);
    const projects = roles.implied === null ? [...roles.own.keys()] : null;
    const found = await rows<Label>(
      this.transactions.manager(ctx),
      `SELECT id, name AS label FROM project_access_token WHERE organization_id = $1 AND id = ANY ($2::uuid[])
       UNION ALL
       SELECT id, coalesce(name, email) FROM tester
       WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND ($3::uuid[] IS NULL OR project_id = ANY ($3::uuid[]))
       UNION ALL
       SELECT id, name FROM personal_access_token WHERE $4 AND organization_id = $1 AND id = ANY ($2::uuid[])
       UNION ALL
       SELECT id, email FROM organization_invitation WHERE $4 AND organization_id = $1 AND id = ANY ($2::uuid[])
       UNION ALL
       SELECT d.id, coalesce(d.name, d.email) FROM membership m JOIN developer d ON d.id = m.developer_id
       WHERE m.organization_id = $1 AND m.developer_id = ANY ($2::uuid[])`,
      [organizationId, ids, projects, hasOrganizationRole(roles, 'ADMIN')],
    );
    const joined = await this.joinedBy(ctx, organizationId, events);
    return new Map([...joined, ...found].map(({ id, label }) => [id, label]));
  }

  /** The members who accepted the invitations of the events. An invitation is deleted when it is accepted, and joining records its id. */
  private async joinedBy(ctx: RequestContext, organizationId: string, events: Events): Promise<readonly Label[]> {
    const ofInvitations = events.filter(({ payload }) => typeof payload['invitation_id'] === 'string');
    if (ofInvitations.length === 0) return [];
    const ids = ofInvitations.map(({ payload }) => payload['invitation_id']);
    const times = ofInvitations.map(({ time }) => time.getTime());
    return rows<Label>(
      this.transactions.manager(ctx),
      `SELECT e.payload ->> 'invitation_id' AS id, coalesce(d.name, d.email) AS label FROM audit_event e
       JOIN membership m ON m.organization_id = e.organization_id AND m.developer_id::text = e.payload ->> 'developer_id'
       JOIN developer d ON d.id = m.developer_id
       WHERE e.organization_id = $1 AND e.type = 'member.joined' AND e.time BETWEEN $3 AND $4
         AND e.payload ->> 'invitation_id' = ANY ($2::text[])`,
      [organizationId, ids, new Date(Math.min(...times)), new Date(Math.max(...times) + ACCEPTED_WITHIN_MS)],
    );
  }
}
