import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type OwnInvitation, ownInvitationsQuery } from '../../queries/account/own-invitations';
import { sessionQuery } from '../../queries/account/session';
import { api } from '../../session/api';
import { homeOf } from '../../session/home-of';
import { useMay } from '../../session/use-may';
import { Avatar, Button, Card, focusHeading, Inline, Time, useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './welcome.module.css';

/** The pending invitations. Hidden when there are none. */
export function OwnInvitations() {
  const words = useWords().welcome.invitations;
  const { data: invitations = [] } = useQuery(ownInvitationsQuery);
  if (invitations.length === 0) return null;
  return (
    <Card title={words.heading}>
      <ul className={styles.invitations}>
        {invitations.map((invitation) => (
          <Invitation key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </Card>
  );
}

function Invitation({ invitation }: { invitation: OwnInvitation }) {
  const words = useWords();
  const { invitations: texts } = words.welcome;
  const format = useFormat();
  const may = useMay({ organizationId: '' });
  const { accept, decline } = useAnswers(invitation);
  const { organization_name: name, invited_by, roles, expires_at } = invitation;
  const error = accept.error ?? decline.error;
  return (
    <li>
      <Avatar name={name} size={40} />
      <div className={styles.invitation}>
        <p className="strong">{texts.text(name, invited_by.label)}</p>
        <p className="soft">
          {texts.roles(format.list(roles.map((role) => words.roles[role])))} · {texts.expires}{' '}
          <Time value={expires_at} />
        </p>
        {error && <p role="alert">{error.message}</p>}
      </div>
      <Inline>
        <Button
          variant="primary"
          busy={accept.isPending}
          disabledReason={may('POST /developers/me/invitations/{invitation_id}/accept')}
          onClick={() => accept.mutate()}
        >
          {texts.accept}
        </Button>
        <Button
          busy={decline.isPending}
          disabledReason={may('POST /developers/me/invitations/{invitation_id}/decline')}
          onClick={() => decline.mutate()}
        >
          {texts.decline}
        </Button>
      </Inline>
    </li>
  );
}

function useAnswers({ id, organization_name }: OwnInvitation) {
  const words = useWords().welcome.invitations;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const path = { invitation_id: id };
  const accept = useMutation({
    mutationFn: () => api.request('POST /developers/me/invitations/{invitation_id}/accept', { path }),
    onSuccess: async (organization) => {
      await queryClient.invalidateQueries(sessionQuery);
      void queryClient.invalidateQueries(ownInvitationsQuery);
      await navigate(homeOf(organization));
    },
  });
  const decline = useMutation({
    mutationFn: () => api.request('POST /developers/me/invitations/{invitation_id}/decline', { path }),
    onSuccess: async () => {
      toast(words.declined(organization_name), { tone: 'success' });
      await queryClient.invalidateQueries(ownInvitationsQuery);
      focusHeading();
    },
  });
  return { accept, decline };
}
