import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { itemsOf, ListCard } from '../../parts/lists/list-screen';
import { keyOf } from '../../queries/keys';
import { type Invitation, invitationsQuery, invite, withdrawInvitation } from '../../queries/organization/members';
import { useMay } from '../../session/use-may';
import {
  AlertDialog,
  Badge,
  Button,
  Card,
  type Column,
  EmptyState,
  RowActions,
  Table,
  Time,
  useNow,
  useToast,
} from '../../ui';
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
      more={words.more}
      empty={
        <EmptyState compact level={3} title={words.empty}>
          {words.emptyText}
        </EmptyState>
      }
    >
      <Table label={words.heading} columns={columns} rows={invitations} rowKey={({ id }) => id} />
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
      width: 'wide',
      cell: ({ email, id }) => <span id={`invitation-${id}`}>{email}</span>,
    },
    { id: 'roles', label: columns.roles, cell: ({ roles }) => <RoleBadges roles={roles} /> },
    { id: 'by', label: columns.by, cell: ({ invited_by_label }) => invited_by_label ?? words.deletedAccount },
    { id: 'expires', label: columns.expires, cell: ({ expires_at }) => <Expiry value={expires_at} /> },
    {
      id: 'actions',
      label: columns.actions,
      hideLabel: true,
      width: 'narrow',
      cell: (invitation) => (
        <RowActions>
          <SendAgain organizationId={organizationId} invitation={invitation} />
          <Withdraw organizationId={organizationId} invitation={invitation} />
        </RowActions>
      ),
    },
  ];
}

function Expiry({ value }: { value: string }) {
  const { expired } = useWords().members.invitations;
  return new Date(value) <= useNow() ? <Badge tone="warning">{expired}</Badge> : <Time value={value} />;
}

/** Sends the invitation again. Its new link replaces the one of the earlier mail, and works for seven days. */
function SendAgain({ organizationId, invitation: { id, email, roles } }: InvitationProps) {
  const words = useWords().members;
  const may = useMay({ organizationId });
  const queryClient = useQueryClient();
  const toast = useToast();
  const sending = useMutation({
    mutationFn: () => invite(organizationId, email, roles),
    onSuccess: async () => {
      toast(words.sent(email), { tone: 'success' });
      await queryClient.invalidateQueries({ queryKey: keyOf('invitations') });
    },
    onError: ({ message }) => toast(message, { tone: 'problem' }),
  });
  return (
    <Button
      variant="quiet"
      icon="mail"
      aria-describedby={`invitation-${id}`}
      busy={sending.isPending}
      disabledReason={may('POST /organizations/{organization_id}/invitations')}
      onClick={() => sending.mutate()}
    >
      {words.invitations.sendAgain}
    </Button>
  );
}

interface InvitationProps {
  readonly organizationId: string;
  readonly invitation: Invitation;
}

function Withdraw({ organizationId, invitation }: InvitationProps) {
  const words = useWords().members.invitations;
  const may = useMay({ organizationId });
  const queryClient = useQueryClient();
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const withdrawal = useMutation({
    mutationFn: () => withdrawInvitation(organizationId, invitation.id),
    onSuccess: async () => {
      toast(words.withdrawn(invitation.email), { tone: 'success' });
      setIsAsking(false);
      await queryClient.invalidateQueries({ queryKey: keyOf('invitations') });
    },
  });
  return (
    <>
      <Button
        variant="quiet"
        icon="trash"
        aria-describedby={`invitation-${invitation.id}`}
        disabledReason={may('DELETE /organizations/{organization_id}/invitations/{invitation_id}')}
        onClick={() => setIsAsking(true)}
      >
        {words.withdraw}
      </Button>
      <AlertDialog
        open={isAsking}
        title={words.withdrawTitle(invitation.email)}
        confirmLabel={words.withdraw}
        busy={withdrawal.isPending}
        error={withdrawal.error}
        onConfirm={() => withdrawal.mutate()}
        onCancel={() => setIsAsking(false)}
      >
        <p>{words.withdrawText}</p>
      </AlertDialog>
    </>
  );
}
