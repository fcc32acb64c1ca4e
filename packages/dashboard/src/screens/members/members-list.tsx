import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { itemsOf, ListScreen } from '../../parts/lists/list-screen';
import { MemberName, nameOf } from '../../parts/members/member-name';
import { useDeveloper } from '../../queries/account/session';
import { type LeftToken, type Member, membersQuery } from '../../queries/organization/members';
import { useMay } from '../../session/use-may';
import { Button, type Column, EmptyState, RowMenu, Stack, Table, Time } from '../../ui';
import { useWords } from '../../words/words-provider';
import { ChangeRoles } from './change-roles';
import { KnownTokens } from './known-tokens';
import { MembersFilter, useMembersFilter } from './members-filter';
import { RemoveMember } from './remove-member';
import { RoleBadges } from './role-badges';

interface Removed {
  readonly name: string;
  readonly tokens: readonly LeftToken[];
}

interface MembersListProps {
  readonly organizationId: string;
  /** The button that invites, where the reader is the only member. */
  readonly invite: ReactNode;
}

/** With fewer members than these, the eye finds one faster. */
const FILTERED_FROM = 8;

/** The table of members, and the questions before a change. */
export function MembersList({ organizationId, invite }: MembersListProps) {
  const words = useWords().members;
  const [removed, setRemoved] = useState<Removed>();
  const list = useInfiniteQuery(membersQuery(organizationId));
  const members = itemsOf(list);
  // The last ADMIN is unknown while pages are missing.
  const admins = members.filter(({ roles }) => roles.includes('ADMIN'));
  const lastAdmin = admins.length === 1 && !list.hasNextPage ? admins[0]?.developer_id : undefined;
  const columns = useColumns({ organizationId, lastAdmin, onRemoved: setRemoved });
  const { isFiltered, matches, clear } = useMembersFilter();
  const shown = members.filter(matches);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  // The service has no search for members: the filter needs all of them.
  useEffect(() => {
    if (isFiltered && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isFiltered, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Stack gap={8}>
      {(members.length >= FILTERED_FROM || isFiltered) && <MembersFilter />}
      <ListScreen list={list} count={shown.length} rows={4} forms={words.count}>
        {shown.length > 0 ? (
          <Table brief label={words.heading} columns={columns} rows={shown} rowKey={(member) => member.developer_id} />
        ) : (
          !hasNextPage && (
            <EmptyState compact title={words.nobody} actions={<Button onClick={clear}>{words.showAll}</Button>} />
          )
        )}
      </ListScreen>
      {members.length === 1 && !list.hasNextPage && <OnlyYou invite={invite} />}
      {removed && <KnownTokens organizationId={organizationId} {...removed} onClose={() => setRemoved(undefined)} />}
    </Stack>
  );
}

function OnlyYou({ invite }: Pick<MembersListProps, 'invite'>) {
  const { onlyYou } = useWords().members;
  return (
    <EmptyState compact title={onlyYou.heading} actions={invite}>
      {onlyYou.text}
    </EmptyState>
  );
}

interface ActsOptions {
  readonly organizationId: string;
  /** The id of the only member with the role ADMIN. */
  readonly lastAdmin: string | undefined;
  readonly onRemoved: (removed: Removed) => void;
}

function useColumns(options: ActsOptions): readonly Column<Member>[] {
  const words = useWords().members;
  const { columns } = words;
  const developer = useDeveloper();
  return [
    {
      id: 'member',
      label: columns.member,
      cell: (member) => (
        <MemberName member={member} youLabel={member.developer_id === developer.id ? words.you : undefined} />
      ),
    },
    { id: 'roles', label: columns.roles, cell: ({ roles }) => <RoleBadges roles={roles} /> },
    { id: 'joined', label: columns.joined, cell: ({ created_at }) => <Time value={created_at} /> },
    {
      id: 'actions',
      label: columns.actions,
      hideLabel: true,
      width: 'narrow',
      cell: (member) => <Acts {...options} member={member} />,
    },
  ];
}

function Acts({ member, organizationId, lastAdmin, onRemoved }: ActsOptions & { member: Member }) {
  const words = useWords().members;
  const developer = useDeveloper();
  const may = useMay({ organizationId });
  const [asked, setAsked] = useState<'roles' | 'removal'>();
  const close = (): void => setAsked(undefined);
  const isOwn = member.developer_id === developer.id;
  const isLast = member.developer_id === lastAdmin;
  // Every member may leave. Members who may change members may also remove them.
  const removal = may(
    isOwn
      ? 'DELETE /organizations/{organization_id}/members/{developer_id}'
      : 'PATCH /organizations/{organization_id}/members/{developer_id}',
  );
  return (
    <>
      <RowMenu
        label={words.actions(nameOf(member))}
        items={[
          {
            label: words.change,
            icon: 'edit',
            disabledReason: may('PATCH /organizations/{organization_id}/members/{developer_id}'),
            onSelect: () => setAsked('roles'),
          },
          {
            label: isOwn ? words.leave : words.remove,
            icon: isOwn ? 'logout' : 'trash',
            danger: true,
            disabledReason: isLast && isOwn ? words.lastAdmin : removal,
            onSelect: () => setAsked('removal'),
          },
        ]}
      />
      {asked === 'roles' && (
        <ChangeRoles organizationId={organizationId} member={member} isLastAdmin={isLast} onClose={close} />
      )}
      {asked === 'removal' && (
        <RemoveMember
          organizationId={organizationId}
          member={member}
          isOwn={isOwn}
          onClose={close}
          onRemoved={onRemoved}
        />
      )}
    </>
  );
}
