import { ORGANIZATION_ROLES } from '@agate/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { itemsOf } from '../../parts/lists/list-screen';
import { useDialog } from '../../parts/use-dialog';
import { useOrganizations } from '../../queries/account/session';
import { membersQuery } from '../../queries/organization/members';
import { useMay } from '../../session/use-may';
import { Button, DescriptionList, Fold, PageHeader, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import { InviteDialog } from './invite-dialog';
import { MembersList } from './members-list';
import { OpenInvitations } from './open-invitations';

/** The members of an organization, their roles, and the open invitations. */
export function Members() {
  const words = useWords().members;
  const { org } = useParams({ from: '/member/o/$org' });
  const organization = useOrganizations().find(({ id }) => id === org);
  const may = useMay({ organizationId: org });
  const dialog = useDialog('invite');
  useTitle(words.heading, organization?.name);
  const reason = may('POST /organizations/{organization_id}/invitations');
  const { isAlone, isPending } = useIsAlone(org);
  const invite = (
    <Button variant="primary" icon="plus" disabledReason={reason} onClick={() => dialog.open('member')}>
      {words.invite}
    </Button>
  );
  return (
    <Stack gap={24}>
      <PageHeader title={words.heading} actions={!isAlone && !isPending && invite} />
      <MembersList organizationId={org} invite={invite} />
      <OpenInvitations organizationId={org} />
      <RoleMeanings />
      {dialog.value && reason === undefined && <InviteDialog organizationId={org} onClose={dialog.close} />}
    </Stack>
  );
}

/** Whether the organization has no other member. The button that invites is then below them. */
function useIsAlone(organizationId: string) {
  const list = useInfiniteQuery(membersQuery(organizationId));
  return { isAlone: list.isSuccess && itemsOf(list).length === 1 && !list.hasNextPage, isPending: list.isPending };
}

function RoleMeanings() {
  const { members: words, roles } = useWords();
  return (
    <Fold title={words.explained}>
      <DescriptionList
        items={ORGANIZATION_ROLES.map((role) => ({ label: roles[role], value: words.meanings[role] }))}
      />
    </Fold>
  );
}
