import { type AccessFacts, type Parents } from '#kernel/access/policy';

/** What the joins below add to a row. */
export type MemberFacts = Pick<AccessFacts, 'organizationRoles' | 'projectRole' | 'projectExists'>;

/** The columns of `MEMBER_JOINS`, named as in `MemberFacts`. */
export const MEMBER_COLUMNS = `m.roles AS "organizationRoles", pm.role AS "projectRole", p.id IS NOT NULL AS "projectExists"`;

/**
 * Joins to a developer `d` their roles in the organization $1 and in its project $2. Both may be null. The developer's row stays when
 * they have no role, so a query can authenticate them and read their roles at once.
 */
export const MEMBER_JOINS = `LEFT JOIN membership m ON m.organization_id = $1 AND m.developer_id = d.id
  LEFT JOIN project p ON p.organization_id = m.organization_id AND p.id = $2
  LEFT JOIN project_membership pm ON pm.organization_id = p.organization_id AND pm.project_id = p.id AND pm.developer_id = d.id`;

/** @param member null when the developer was not found. */
export const accessFactsOf = (parents: Parents, member: MemberFacts | null): AccessFacts => ({
  organizationId: parents.organizationId,
  projectId: parents.projectId,
  organizationRoles: member?.organizationRoles ?? null,
  projectRole: member?.projectRole ?? null,
  projectExists: member?.projectExists ?? false,
});
