import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type SessionOrganization, sessionQuery, useDeveloper } from '../../queries/account/session';
import { adminsQuery } from '../../queries/organization/members';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { AlertDialog, Button, Card, useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

/** Ends the developer's own membership. The last ADMIN cannot leave, and sees the reason. */
export function LeaveOrganization({ organization }: { organization: SessionOrganization }) {
  const words = useWords().settings.leave;
  const { id, name } = organization;
  const developer = useDeveloper();
  const may = useMay({ organizationId: id });
  const { data: admins = [] } = useQuery(adminsQuery(id));
  const isLastAdmin = admins.length === 1 && admins[0]?.developer_id === developer.id;
  const reason =
    may('DELETE /organizations/{organization_id}/members/{developer_id}') ??
    (isLastAdmin ? words.lastAdmin : undefined);
  const [isAsking, setIsAsking] = useState(false);
  const leaving = useLeaving(organization);
  return (
    <Card level={3} title={words.heading}>
      <p>{words.text}</p>
      {reason && <p className="soft">{reason}</p>}
      <div>
        <Button icon="logout" disabledReason={reason} onClick={() => setIsAsking(true)}>
          {words.button}
        </Button>
      </div>
      <AlertDialog
        open={isAsking}
        title={words.title(name)}
        confirmLabel={words.button}
        busy={leaving.isPending}
        error={leaving.error}
        onConfirm={() => leaving.mutate()}
        onCancel={() => setIsAsking(false)}
      >
        <p>{words.text}</p>
      </AlertDialog>
    </Card>
  );
}

function useLeaving({ id, name }: SessionOrganization) {
  const words = useWords().settings.leave;
  const format = useFormat();
  const developer = useDeveloper();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  return useMutation({
    mutationFn: () =>
      api.request('DELETE /organizations/{organization_id}/members/{developer_id}', {
        path: { organization_id: id, developer_id: developer.id },
        query: {},
      }),
    onSuccess: async (removal) => {
      toast(words.done(name), { tone: 'success' });
      // Without tokens the response has no body.
      const tokens = (removal as typeof removal | undefined)?.project_access_tokens.length ?? 0;
      if (tokens > 0) toast(format.plural(tokens, words.tokens));
      await queryClient.invalidateQueries(sessionQuery);
      await navigate({ to: '/', ignoreBlocker: true });
    },
  });
}
