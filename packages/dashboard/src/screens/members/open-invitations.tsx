import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { itemsOf, ListCard } from '../../parts/lists/list-screen';
import { keyOf } from '../../queries/keys';
import { type Invitation, invitationsQuery, invite, withdrawInvitation } from '../../queries/organization/members';
import { useMay } from '../../session/use-may';
import { AlertDialog, Badge, Card, type Column, EmptyState, RowMenu, Table, Time, useNow, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import { RoleBadges } from './role-badges';

/** The open invitations. Only an ADMIN sees them. */
export function OpenInvitations({ organizationId }: { organizationId: string }) {
  const words = useWords().members.invitations;
  const reason = useMay({ organizationId })('GET /organizations/{organization_id}/invitations');
  if (reason === undefined) return <Invitations organizationId={organizationId} />;
  return (
    <Card title={words.heading} flush>
      <EmptyState compact level={3} title={reason} />
    </Card>
  );
}

function Invitations({ organizationId }: { organizationId: string }) {
  const words = useWords().members.invitations;
  const list = useInfiniteQuery(invitationsQuery(organizationId));
  const invitations = itemsOf(list);
  const columns = useColumns(organizationId);
  return (
    <ListCard
      title={words.heading}
      flush
      list={list}
      count={invitations.length}
      rows={2}
      forms={words.count}
      empty={
        <EmptyState compact level={3} title={words.empty}>
          {words.emptyText}
        </EmptyState>
      }
    >
      <Table brief label={words.heading} columns={columns} rows={invitations} rowKey={({ id }) => id} />
    </ListCard>
  );
}

function useColumns(organizationId: string): readonly Column<Invitation>[] {
  const words = useWords().members.invitations;
  const { columns } = words;
  return [
    {
      id: 'email',
      label: columns.email,
      cell: ({ email }) => email,
    },
    { id: 'roles', label: columns.roles, cell: ({ roles }) => <RoleBadges roles={roles} /> },
    { id: 'by', label: columns.by, cell: ({ invited_by_label }) => invited_by_label ?? words.deletedAccount },
    { id: 'expires', label: columns.expires, cell: ({ expires_at }) => <Expiry value={expires_at} /> },
    {
      id: 'actions',
      label: columns.actions,
      hideLabel: true,
      width: 'narrow',
      cell: (invitation) => <Acts organizationId={organizationId} invitation={invitation} />,
    },
  ];
}

function Expiry({ value }: { value: string }) {
  const { expired } = useWords().members.invitations;
  return new Date(value) <= useNow() ? <Badge tone="warning">{expired}</Badge> : <Time value={value} />;
}

interface InvitationProps {
  readonly organizationId: string;
  readonly invitation: Invitation;
}

/** The menu of an invitation: send it again, withdraw it. */
function Acts({ organizationId, invitation }: InvitationProps) {
  const words = useWords().members.invitations;
  const may = useMay({ organizationId });
  const sending = useSending(organizationId, invitation);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <RowMenu
        label={words.menu(invitation.email)}
        items={[
          {
            label: words.sendAgain,
            icon: 'mail',
            disabledReason: may('POST /organizations/{organization_id}/invitations'),
            onSelect: () => sending.mutate(),
          },
          {
            label: words.withdraw,
            icon: 'trash',
            danger: true,
            disabledReason: may('DELETE /organizations/{organization_id}/invitations/{invitation_id}'),
            onSelect: () => setIsAsking(true),
          },
        ]}
      />
      {isAsking && (
        <Withdraw organizationId={organizationId} invitation={invitation} onClose={() => setIsAsking(false)} />
      )}
    </>
  );
}

/** Sends the invitation again. Its new link replaces the one of the earlier mail, and works for seven days. */
function useSending(organizationId: string, { email, roles }: Invitation) {
  const words = useWords().members;
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: () => invite(organizationId, email, roles),
    onSuccess: async () => {
      toast(words.sent(email), { tone: 'success' });
      await queryClient.invalidateQueries({ queryKey: keyOf('invitations') });
    },
    onError: ({ message }) => toast(message, { tone: 'problem' }),
  });
}

function Withdraw({ organizationId, invitation, onClose }: InvitationProps & { readonly onClose: () => void }) {
  const words = useWords().members.invitations;
  const queryClient = useQueryClient();
  const toast = useToast();
  const withdrawal = useMutation({
    mutationFn: () => withdrawInvitation(organizationId, invitation.id),
    onSuccess: async () => {
      toast(words.withdrawn(invitation.email), { tone: 'success' });
      onClose();
      await queryClient.invalidateQueries({ queryKey: keyOf('invitations') });
    },
  });
  return (
    <AlertDialog
      title={words.withdrawTitle(invitation.email)}
      confirmLabel={words.withdraw}
      busy={withdrawal.isPending}
      error={withdrawal.error}
      onConfirm={() => withdrawal.mutate()}
      onCancel={onClose}
    >
      <p>{words.withdrawText}</p>
    </AlertDialog>
  );
}
