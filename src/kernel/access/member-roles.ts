import { higherRole, type OrganizationRole, type ProjectRole } from './roles';

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
