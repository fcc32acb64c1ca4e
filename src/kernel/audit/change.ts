import { hasOrganizationRole, type MemberRoles, roleInProject } from '#kernel/access/policy';
import { includesRole, type OrganizationRole, type PatScope, type ProjectRole } from '#kernel/access/roles';
import { type AuditEventType } from '#kernel/audit/audit-event';
import { type DeveloperOwned } from '#kernel/context/identity';
import { isUuid } from '#kernel/ids';

/** An audit event, reduced to what changed. */
export interface Change {
  /** The place in the organization's audit chain: from 1, without gaps, in commit order. */
  readonly position: number;
  readonly type: AuditEventType;
  readonly projectId: string | null;
  readonly actorId: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A change with the facts of the event that only readers of the whole event need. */
export interface RecordedChange extends Change {
  /** The id of the audit event. */
  readonly id: string;
  readonly time: Date;
  readonly actorKind: string;
  /** Null for developers, whose names must stay erasable. */
  readonly actorLabel: string | null;
}

/** The ids that a change contains. The stream omits all other fields of the payload. */
const IDS = [
  'build_id',
  'channel_id',
  'tester_id',
  'release_id',
  'upload_id',
  'token_id',
  'invitation_id',
  'developer_id',
  'webhook_id',
] as const;

/** The ids of a change, as they are in JSON. Absent ids are left out. */
export function idsOf({ projectId, payload }: Pick<Change, 'projectId' | 'payload'>): Readonly<Record<string, string>> {
  const found = IDS.map((name) => [name, payload[name]] as const).filter(([, value]) => isUuid(value));
  return { ...(projectId !== null && { project_id: projectId }), ...(Object.fromEntries(found) as object) };
}

/** The caller of a stream. */
export interface Viewer {
  readonly identity: DeveloperOwned;
  readonly roles: MemberRoles;
}

/** The access that readers need for the events of a kind. A personal access token also needs the scope. */
type Audience = { readonly scope: PatScope } & (
  { readonly project: ProjectRole } | { readonly organization: OrganizationRole | 'member' }
);

/** The access by the noun of the event type. Readers of the audit feed see every event; they alone see events whose noun is not listed. */
const AUDIENCES: Readonly<Record<string, Audience>> = {
  build: { project: 'VIEW_PROJECT', scope: 'builds:read' },
  channel: { project: 'VIEW_PROJECT', scope: 'channels:read' },
  release: { project: 'VIEW_PROJECT', scope: 'releases:read' },
  tester: { project: 'VIEW_PROJECT', scope: 'testers:read' },
  testers: { project: 'VIEW_PROJECT', scope: 'testers:read' },
  device: { project: 'MANAGE_TESTERS', scope: 'testers:read' },
  devices: { project: 'MANAGE_TESTERS', scope: 'testers:read' },
  project: { project: 'VIEW_PROJECT', scope: 'projects:read' },
  project_member: { project: 'VIEW_PROJECT', scope: 'projects:read' },
  project_access_token: { project: 'UPLOAD_BUILD', scope: 'projects:read' },
  webhook: { project: 'MANAGE_PROJECT', scope: 'projects:read' },
  organization: { organization: 'member', scope: 'organization:read' },
  member: { organization: 'member', scope: 'organization:read' },
  billing: { organization: 'BILLING', scope: 'billing:read' },
};

/** Only an ADMIN reads invitations, exports and erasures. */
const OF_ADMINS = /^(member\.invited|organization\.(export|eras).*)$/;

const AUDIT: Audience = { organization: 'AUDITOR', scope: 'audit:read' };

/** Whether the viewer may read the changed object: the event must not reveal what their lists hide. */
export function maySee(viewer: Viewer, change: Change): boolean {
  if (isIn(AUDIT, viewer, change)) return true;
  const audience = AUDIENCES[change.type.split('.')[0] ?? ''];
  return audience !== undefined && !OF_ADMINS.test(change.type) && isIn(audience, viewer, change);
}

function isIn(audience: Audience, { identity, roles }: Viewer, { projectId }: Change): boolean {
  if (identity.kind === 'pat' && !identity.scopes.includes(audience.scope)) return false;
  if ('project' in audience)
    return projectId !== null && includesRole(roleInProject(roles, projectId), audience.project);
  return audience.organization === 'member'
    ? roles.organization.length > 0
    : hasOrganizationRole(roles, audience.organization);
}

/** Whether a token with the scopes may read the objects of an event type, as far as its scopes decide. */
export const scopesReveal = (scopes: readonly PatScope[], type: string): boolean =>
  [AUDIT, AUDIENCES[type.split('.')[0] ?? ''] ?? AUDIT].some(({ scope }) => scopes.includes(scope));

/** Whether a change may affect what members of the organization see. */
export const changesAccess = ({ type }: Change): boolean =>
  /^(member|project_member|organization)\.|^project\.(created|deleted)$/.test(type);
