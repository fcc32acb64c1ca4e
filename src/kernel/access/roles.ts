/** Organization roles, a set per membership (contract §2). */
export const ORGANIZATION_ROLES = ['MEMBER', 'READ', 'AUDITOR', 'BILLING', 'MANAGER', 'ADMIN'] as const;
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];

/** Project roles, a ladder: each includes those before it (contract §2). */
export const PROJECT_ROLES = [
  'VIEW_PROJECT',
  'DOWNLOAD_BUILD',
  'UPLOAD_BUILD',
  'MANAGE_TESTERS',
  'MANAGE_RELEASES',
  'MANAGE_PROJECT',
] as const;
export type ProjectRole = (typeof PROJECT_ROLES)[number];

/** What a personal access token may be limited to (contract §2). */
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

const RUNGS: readonly (ProjectRole | null)[] = [null, ...PROJECT_ROLES];

/** Whether a rung of the ladder includes another; null is below the ladder. */
export const includesRole = (held: ProjectRole | null, wanted: ProjectRole | null): boolean =>
  RUNGS.indexOf(held) >= RUNGS.indexOf(wanted);

/** The higher of two rungs. */
export const higherRole = (a: ProjectRole | null, b: ProjectRole | null): ProjectRole | null =>
  includesRole(a, b) ? a : b;

/** What organization roles imply in every project: READ sees, MANAGER and ADMIN manage (contract §2). */
export function impliedProjectRole(roles: readonly OrganizationRole[]): ProjectRole | null {
  if (roles.includes('MANAGER') || roles.includes('ADMIN')) return 'MANAGE_PROJECT';
  return roles.includes('READ') ? 'VIEW_PROJECT' : null;
}
