import { effectiveProjectRole, type ProjectRole } from '@agate/client';
import { type Member } from '../../queries/organization/members';
import { type ProjectMember } from '../../queries/project/project-members';

/** A member with access to a project, with at least one of both roles. */
export interface AccessRow extends Pick<ProjectMember, 'developer_id' | 'email' | 'name' | 'inherited_role'> {
  /** The role that was given in the project. Null when access comes from the organization alone. */
  readonly role: ProjectRole | null;
}

/** The members with a role of their own in the project, then those whose organization roles imply one. */
export function withInherited(own: readonly ProjectMember[], members: readonly Member[]): readonly AccessRow[] {
  const known = new Set(own.map(({ developer_id }) => developer_id));
  const others = members
    .filter(({ developer_id }) => !known.has(developer_id))
    .map(({ developer_id, email, name, roles }) => ({
      developer_id,
      email,
      name,
      role: null,
      inherited_role: effectiveProjectRole({ organization: roles }),
    }));
  return [...own, ...others.filter(({ inherited_role }) => inherited_role !== null)];
}
