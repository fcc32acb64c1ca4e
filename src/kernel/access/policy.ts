import { type Identity, isDeveloper, type PatIdentity, type ProjectTokenIdentity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type ErrorCase } from '#kernel/errors/catalogue';
import {
  higherRole,
  impliedProjectRole,
  includesRole,
  type OrganizationRole,
  type PatScope,
  type ProjectRole,
} from './roles';

/** The `@Access` rule of a route. See `CredentialAccess` for the meaning of the fields. */
export interface AccessDemand {
  readonly by: readonly ('jwt' | 'pat' | 'project-token')[];
  readonly organization?: 'member' | readonly OrganizationRole[];
  readonly project?: ProjectRole;
  readonly scope?: PatScope;
  readonly self?: true;
  /** Whether the developer's e-mail address must be verified. */
  readonly verified: boolean;
}

/** Whether the rule of a route depends on an organization. */
export const needsOrganization = ({ organization, project }: Pick<AccessDemand, 'organization' | 'project'>): boolean =>
  organization !== undefined || project !== undefined;

/** The parents that the request names, and the developer's current roles in them. */
export interface AccessFacts {
  readonly organizationId: string | null;
  readonly projectId: string | null;
  /** The developer's roles in the organization; null when the developer is not a member. */
  readonly organizationRoles: readonly OrganizationRole[] | null;
  /** The developer's own role in the project; null when there is none. */
  readonly projectRole: ProjectRole | null;
  readonly projectExists: boolean;
}

/** The parents that the request names; null when it does not name one. */
export type Parents = Pick<AccessFacts, 'organizationId' | 'projectId'>;

/** Why a request is rejected. */
export interface Refusal {
  readonly error: Extract<
    ErrorCase,
    'unauthorized' | 'interactive_login_required' | 'email_not_verified' | 'permission_denied' | 'insufficient_role'
  >;
  /** The missing role, for `insufficient_role`. */
  readonly requiredRole?: string;
}

/**
 * Checks what needs no query, in this order: the kind of the credential, the verified e-mail address, then the scope of the
 * token and the organization or project that it is bound to. Null when all of it fits; `refuseRole` checks the rest.
 */
export function refuseCredential(demand: AccessDemand, identity: Identity, parents: Parents): Refusal | null {
  if (!isDeveloper(identity) && identity.kind !== 'project-token') return { error: 'unauthorized' };
  if (!demand.by.includes(identity.kind)) return { error: 'interactive_login_required' };
  if (identity.kind === 'project-token') return refuseProjectToken(identity, parents);
  if (demand.verified && !identity.emailVerified) return { error: 'email_not_verified' };
  return identity.kind === 'pat' ? refusePat(demand, identity, parents) : null;
}

const refuseProjectToken = (token: ProjectTokenIdentity, { organizationId, projectId }: Parents): Refusal | null =>
  organizationId === token.organizationId && projectId === token.projectId ? null : { error: 'permission_denied' };

function refusePat({ scope, self }: AccessDemand, pat: PatIdentity, { organizationId }: Parents): Refusal | null {
  const inScope = self || pat.scopes.some((held) => held === scope);
  const bound = organizationId === null || organizationId === pat.organizationId;
  return inScope && bound ? null : { error: 'permission_denied' };
}

/**
 * Checks the current roles of the credential's owner. Membership and the right to see the project come before other roles,
 * so that a developer who may not see a project does not learn whether it exists. Null when the roles are sufficient.
 */
export function refuseRole(demand: AccessDemand, identity: Identity, facts: AccessFacts): Refusal | null {
  if (identity.kind === 'project-token') {
    if (demand.self) return null;
    if (demand.project === undefined) return { error: 'permission_denied' };
    return includesRole(identity.role, demand.project)
      ? null
      : { error: 'insufficient_role', requiredRole: demand.project };
  }
  if (demand.organization === undefined && demand.project === undefined) return null;
  const roles = facts.organizationRoles;
  if (!roles) return { error: 'permission_denied' };
  const effective = effectiveProjectRole(facts);
  if (demand.project !== undefined && effective === null) return { error: 'permission_denied' };
  return refuseOrganizationRole(demand, roles) ?? refuseProjectRole(demand, effective);
}

/** The higher of the developer's own role in the project and the role that their organization roles imply; null without either. */
export const effectiveProjectRole = ({
  organizationRoles,
  projectRole,
  projectExists,
}: AccessFacts): ProjectRole | null =>
  organizationRoles && projectExists ? higherRole(projectRole, impliedProjectRole(organizationRoles)) : null;

function refuseOrganizationRole(demand: AccessDemand, roles: readonly OrganizationRole[]): Refusal | null {
  const wanted = demand.organization;
  if (wanted === undefined || wanted === 'member' || roles.includes('ADMIN')) return null;
  return wanted.some((role) => roles.includes(role))
    ? null
    : { error: 'insufficient_role', requiredRole: wanted[0] ?? 'ADMIN' };
}

function refuseProjectRole({ project }: AccessDemand, effective: ProjectRole | null): Refusal | null {
  if (project === undefined || includesRole(effective, project)) return null;
  return { error: 'insufficient_role', requiredRole: project };
}

/** The roles of a developer in an organization and in its projects. */
export interface MemberRoles {
  /** Empty when the developer is not a member. */
  readonly organization: readonly OrganizationRole[];
  /** The role that the organization roles imply in every project; null when they imply none. */
  readonly implied: ProjectRole | null;
  /** The developer's own roles, by project. */
  readonly own: ReadonlyMap<string, ProjectRole>;
}

/** The higher of the developer's own role in the project and the implied one; null when they may not see the project. */
export const roleInProject = ({ implied, own }: MemberRoles, projectId: string): ProjectRole | null =>
  higherRole(own.get(projectId) ?? null, implied);

/** Whether the developer has one of the organization roles. ADMIN is always enough. */
export const hasOrganizationRole = ({ organization }: MemberRoles, wanted: OrganizationRole): boolean =>
  organization.includes('ADMIN') || organization.includes(wanted);

/**
 * Whether the caller sees what testers did and which devices they have: callers with MANAGE_TESTERS in the project, and with the scope if
 * they use a personal access token. Names, addresses and subscriptions of testers need only VIEW_PROJECT.
 */
export function maySeeTesterData({ identity, projectRole = null }: RequestContext): boolean {
  if (identity.kind === 'project-token') return includesRole(identity.role, 'MANAGE_TESTERS');
  if (identity.kind === 'pat' && !identity.scopes.includes('testers:read')) return false;
  return includesRole(projectRole, 'MANAGE_TESTERS');
}

/**
 * Whether the caller sees the install links of the project: only callers who may download, because a link is a credential to download.
 * A personal access token also needs the scope.
 */
export function maySeeInstallLinks({ identity, projectRole = null }: RequestContext): boolean {
  if (identity.kind === 'project-token') return includesRole(identity.role, 'DOWNLOAD_BUILD');
  if (identity.kind === 'pat' && !identity.scopes.includes('builds:download')) return false;
  return includesRole(projectRole, 'DOWNLOAD_BUILD');
}
