import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { ListState } from '../../parts/lists/list-state';
import { ListFoot } from '../../parts/lists/list-foot';
import { useState } from 'react';
import { type Invitation, invitationsQuery, withdrawInvitation } from '../../queries/organization/members';
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
import styles from './members.module.css';
import { RoleBadges } from './role-badges';

/** The open invitations. Only an ADMIN sees them. */
export function OpenInvitations({ organizationId }: { organizationId: string }) {
  const words = useWords().members.invitations;
  const reason = useMay({ organizationId })('GET /organizations/{organization_id}/invitations');
  return (
    <Card title={words.heading} flush>
      {reason === undefined ? (
        <Invitations organizationId={organizationId} />
      ) : (
        <EmptyState compact level={3} title={reason} />
      )}
    </Card>
  );
}

function Invitations({ organizationId }: { organizationId: string }) {
  const words = useWords().members;
  const list = useInfiniteQuery(invitationsQuery(organizationId));
  const invitations = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const columns = useColumns(organizationId);
  if (!list.data) return <ListState list={list} rows={2} />;
  if (invitations.length === 0) {
    return (
      <EmptyState compact level={3} title={words.invitations.empty}>
        {words.invitations.emptyText}
      </EmptyState>
    );
  }
  const count = invitations.length;
  return (
    <>
      <Table label={words.invitations.heading} columns={columns} rows={invitations} rowKey={({ id }) => id} />
      <div className={styles.foot}>
        <ListFoot list={list} count={count} forms={words.invitations.count} more={words.invitations.more} />
      </div>
    </>
  );
}

function useColumns(organizationId: string): readonly Column<Invitation>[] {
  const words = useWords().members.invitations;
  const { columns } = words;
  return [
    { id: 'email', label: columns.email, cell: ({ email, id }) => <span id={`invitation-${id}`}>{email}</span> },
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

function Withdraw({ organizationId, invitation }: { organizationId: string; invitation: Invitation }) {
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
      await queryClient.invalidateQueries({ queryKey: ['invitations'] });
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
