/** Organization roles. A membership has a set of them. */
export const ORGANIZATION_ROLES = ['MEMBER', 'READ', 'AUDITOR', 'BILLING', 'MANAGER', 'ADMIN'] as const;
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];

/** Project roles, from the lowest to the highest. Each role includes the lower ones. */
export const PROJECT_ROLES = [
  'VIEW_PROJECT',
  'DOWNLOAD_BUILD',
  'UPLOAD_BUILD',
  'MANAGE_TESTERS',
  'MANAGE_RELEASES',
  'MANAGE_PROJECT',
] as const;
export type ProjectRole = (typeof PROJECT_ROLES)[number];

/** The scopes of personal access tokens. */
export const PAT_SCOPES = [
  'organization:read',
  'projects:read',
  'projects:write',
  'builds:read',
  'builds:upload',
  'builds:download',
  'builds:write',
  'channels:read',
  'channels:write',
  'releases:read',
  'releases:write',
  'testers:read',
  'testers:write',
  'audit:read',
  'billing:read',
] as const;
export type PatScope = (typeof PAT_SCOPES)[number];

const RANKS: readonly (ProjectRole | null)[] = [null, ...PROJECT_ROLES];

/** Whether `held` is the same as `required` or higher. `null`, no role, is lower than every role. */
export const includesRole = (held: ProjectRole | null, required: ProjectRole | null): boolean =>
  RANKS.indexOf(held) >= RANKS.indexOf(required);

/** Returns the higher of two roles. `null`, no role, is lower than every role. */
export const higherRole = (a: ProjectRole | null, b: ProjectRole | null): ProjectRole | null =>
  includesRole(a, b) ? a : b;

/** Returns the role that organization roles imply in every project of the organization; null when they imply none. */
export function impliedProjectRole(roles: readonly OrganizationRole[]): ProjectRole | null {
  if (roles.includes('MANAGER') || roles.includes('ADMIN')) return 'MANAGE_PROJECT';
  return roles.includes('READ') ? 'VIEW_PROJECT' : null;
}

/** The organization roles that imply a role in every project. */
export const ROLES_IN_EVERY_PROJECT = ORGANIZATION_ROLES.filter((role) => impliedProjectRole([role]) !== null);
