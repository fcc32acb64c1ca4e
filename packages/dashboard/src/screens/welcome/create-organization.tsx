import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sessionQuery } from '../../queries/account/session';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { Button, Card, Form, TextField } from '../../ui';
import { useWords } from '../../words/words-provider';

/** The first step. Creates an organization and continues with its first project. */
export function CreateOrganization() {
  const words = useWords().welcome.organization;
  const may = useMay({ organizationId: '' });
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const creation = useMutation({
    mutationFn: (name: string) => api.request('POST /organizations', { body: { name } }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries(sessionQuery);
      await navigate({ to: '/welcome', search: { org: id } });
    },
  });
  return (
    <Card title={words.heading}>
      <p className="soft">{words.text}</p>
      <Form errors={creation.error} onSubmit={(values) => creation.mutate((values.get('name') as string).trim())}>
        <TextField label={words.name} name="name" autoComplete="organization" maxLength={100} required autoFocus />
        <div>
          <Button type="submit" variant="primary" busy={creation.isPending} disabledReason={may('POST /organizations')}>
            {words.create}
          </Button>
        </div>
      </Form>
    </Card>
  );
}
