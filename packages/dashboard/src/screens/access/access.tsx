import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { itemsOf, ListScreen } from '../../parts/lists/list-screen';
import { useDialog } from '../../parts/use-dialog';
import { memberChoicesQuery } from '../../queries/organization/members';
import { projectQuery } from '../../queries/organization/projects';
import { projectMembersQuery } from '../../queries/project/project-members';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, buttonClass, Card, EmptyState, PageHeader, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import { withInherited } from './access-rows';
import { AccessTable } from './access-table';
import { AddMember } from './add-member';
import { useAddableMembers } from './use-addable-members';

/** The members who have access to a project, by a role in it or in the organization. */
export function Access() {
  const words = useWords().access;
  const { scope, organizationId, projectId } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  const may = useMay({ organizationId, projectId });
  const dialog = useDialog('add');
  useTitle(words.heading, project?.name);
  const isNobodyLeft = useAddableMembers()?.length === 0;
  const reason =
    may('PUT /projects/{project_id}/members/{developer_id}') ?? (isNobodyLeft ? words.everybody : undefined);
  const mayInvite = may('POST /organizations/{organization_id}/invitations') === undefined;
  return (
    <Stack>
      <PageHeader
        title={words.heading}
        detail={words.detail}
        actions={
          isNobodyLeft && mayInvite ? (
            <Link
              to="/o/$org/members"
              params={{ org: organizationId }}
              search={{ invite: 'member' }}
              className={buttonClass('primary')}
            >
              {words.invite}
            </Link>
          ) : (
            <Button variant="primary" icon="plus" disabledReason={reason} onClick={() => dialog.open('member')}>
              {words.add}
            </Button>
          )
        }
      />
      <AccessList />
      {dialog.value && reason === undefined && <AddMember onClose={dialog.close} />}
    </Stack>
  );
}

function AccessList() {
  const words = useWords().access;
  const { scope, organizationId } = useProjectPlace();
  const list = useInfiniteQuery(projectMembersQuery(scope));
  const { data: members } = useQuery(memberChoicesQuery(organizationId));
  const own = itemsOf(list);
  const rows = withInherited(own, list.hasNextPage ? [] : (members ?? []));
  return (
    <ListScreen
      list={list}
      count={rows.length}
      rows={4}
      forms={words.count}
      empty={<EmptyState title={words.empty.heading}>{words.empty.text}</EmptyState>}
    >
      <Card title={words.heading} hideTitle flush>
        <AccessTable rows={rows} />
      </Card>
    </ListScreen>
  );
}
