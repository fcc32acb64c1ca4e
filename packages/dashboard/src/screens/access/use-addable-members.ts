import { effectiveProjectRole } from '@agate/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Member, memberChoicesQuery } from '../../queries/organization/members';
import { projectMembersQuery } from '../../queries/project/project-members';
import { useProjectPlace } from '../../session/use-project-place';

/** The members of the organization to whom a role in the project would give something. Undefined while they are loaded. */
export function useAddableMembers(): readonly Member[] | undefined {
  const { scope, organizationId } = useProjectPlace();
  const { data: members } = useQuery(memberChoicesQuery(organizationId));
  const { data: own } = useInfiniteQuery(projectMembersQuery(scope));
  if (!members || !own) return undefined;
  const known = new Set(own.pages.flatMap(({ items }) => items.map(({ developer_id }) => developer_id)));
  return members.filter(
    ({ developer_id, roles }) =>
      !known.has(developer_id) && effectiveProjectRole({ organization: roles }) !== 'MANAGE_PROJECT',
  );
}
