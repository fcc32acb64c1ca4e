import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ListState } from '../../parts/lists/list-state';
import { ListFoot } from '../../parts/lists/list-foot';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { memberChoicesQuery } from '../../queries/organization/members';
import { projectMembersQuery } from '../../queries/project/project-members';
import { projectQuery } from '../../queries/organization/projects';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, Card, EmptyState, PageHeader, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import { AccessTable } from './access-table';
import { withInherited } from './access-rows';
import { AddMember } from './add-member';

/** The members who have access to a project, by a role in it or in the organization. */
export function Access() {
  const words = useWords().access;
  const { scope, organizationId, projectId } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  const may = useMay({ organizationId, projectId });
  const { add } = useSearch({ from: '/member/o/$org/p/$project/access' });
  const navigate = useNavigate({ from: '/o/$org/p/$project/access' });
  useTitle(words.heading, project?.name);
  const reason = may('PUT /projects/{project_id}/members/{developer_id}');
  return (
    <Stack>
      <PageHeader
        title={words.heading}
        detail={words.detail}
        actions={
          <Button
            variant="primary"
            icon="plus"
            disabledReason={reason}
            onClick={() => void navigate({ search: { add: 'member' }, replace: true })}
          >
            {words.add}
          </Button>
        }
      />
      <AccessList />
      {add && reason === undefined && <AddMember onClose={() => void navigate({ search: {}, replace: true })} />}
    </Stack>
  );
}

function AccessList() {
  const words = useWords().access;
  const { scope, organizationId } = useProjectPlace();
  const list = useInfiniteQuery(projectMembersQuery(scope));
  const { data: members } = useQuery(memberChoicesQuery(organizationId));
  if (!list.data) return <ListState list={list} rows={4} />;
  const own = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const rows = withInherited(own, list.hasNextPage ? [] : (members ?? []));
  return (
    <>
      {rows.length === 0 ? (
        <EmptyState title={words.empty.heading}>{words.empty.text}</EmptyState>
      ) : (
        <Card title={words.heading} hideTitle flush>
          <AccessTable rows={rows} />
        </Card>
      )}
      <ListFoot list={list} count={rows.length} forms={words.count} more={words.more} />
    </>
  );
}
