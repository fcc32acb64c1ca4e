import { type OrganizationRole } from '@agate/client';

/** The organization roles by which a member sees projects. With the others alone, they see none. */
const SEES_PROJECTS: readonly OrganizationRole[] = ['MEMBER', 'READ', 'MANAGER', 'ADMIN'];

export const seesProjects = (roles: readonly OrganizationRole[]): boolean =>
  roles.some((role) => SEES_PROJECTS.includes(role));

/** Whether a member sees every project, also those in which they have no role of their own. */
export const seesEveryProject = (roles: readonly OrganizationRole[]): boolean =>
  roles.some((role) => role !== 'MEMBER' && SEES_PROJECTS.includes(role));

/** The first screen of an organization: its projects or, for a member who sees none, the one that their role is for. */
export function homeOf({ id, roles }: { readonly id: string; readonly roles: readonly OrganizationRole[] }) {
  const params = { org: id };
  if (seesProjects(roles)) return { to: '/o/$org', params } as const;
  return { to: roles.includes('BILLING') ? '/o/$org/billing' : '/o/$org/audit', params } as const;
}
