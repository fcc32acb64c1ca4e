import { type Route } from './client';
import { type OrganizationResponse, type ProjectRole, REQUIRED_ROLES } from './generated';

export type OrganizationRole = OrganizationResponse['roles'][number];

/** The roles in an organization. A member has a set of them. */
export const ORGANIZATION_ROLES: readonly OrganizationRole[] = [
  'MEMBER',
  'READ',
  'AUDITOR',
  'BILLING',
  'MANAGER',
  'ADMIN',
];

/** Project roles from the least to the most powerful; each includes those before it. */
export const PROJECT_ROLES: readonly ProjectRole[] = [
  'VIEW_PROJECT',
  'DOWNLOAD_BUILD',
  'UPLOAD_BUILD',
  'MANAGE_TESTERS',
  'MANAGE_RELEASES',
  'MANAGE_PROJECT',
];

export interface Roles {
  readonly organization: readonly OrganizationRole[];
  /** The role in the project, without what the organization's roles imply. Null without one. */
  readonly project?: ProjectRole | null;
}

/** The role in a project: the higher of the member's own role and the role that the organization roles imply. */
export function effectiveProjectRole({ organization, project = null }: Roles): ProjectRole | null {
  if (organization.includes('ADMIN') || organization.includes('MANAGER')) return 'MANAGE_PROJECT';
  return project ?? (organization.includes('READ') ? 'VIEW_PROJECT' : null);
}

interface RequiredRoles {
  /** `member`: any role. A list: one of these. */
  readonly organization: 'member' | readonly OrganizationRole[] | null;
  readonly project: ProjectRole | null;
}

/** The role that a caller lacks for a route; null when the caller may use it. The service decides; this only explains it in advance. */
export function missingRole(route: Route, roles: Roles): OrganizationRole | ProjectRole | null {
  const required = (REQUIRED_ROLES as Partial<Record<Route, RequiredRoles>>)[route];
  if (!required || roles.organization.includes('ADMIN')) return null;
  const { organization, project } = required;
  if (
    Array.isArray(organization) &&
    !organization.some((role: OrganizationRole) => roles.organization.includes(role))
  ) {
    return (organization as readonly OrganizationRole[])[0] ?? null;
  }
  if (project === null) return null;
  const own = effectiveProjectRole(roles);
  return includesProjectRole(own, project) ? null : project;
}

/** Whether a role in a project is at least as high as another. Null means no role. */
export const includesProjectRole = (held: ProjectRole | null, role: ProjectRole): boolean =>
  held !== null && PROJECT_ROLES.indexOf(held) >= PROJECT_ROLES.indexOf(role);
