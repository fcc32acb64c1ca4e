import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { keyOf } from '../../queries/keys';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { Button, Card, Form, TextField } from '../../ui';
import { useTexts } from '../../words/words-provider';

/** The second step. Creates a project and continues with its first build. */
export function CreateProject({ organizationId }: { organizationId: string }) {
  const { words: all, language } = useTexts();
  const words = all.welcome.project;
  const may = useMay({ organizationId });
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const creation = useMutation({
    mutationFn: (name: string) =>
      api.request('POST /projects', { query: { organization_id: organizationId }, body: { name, language } }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: keyOf('projects', organizationId) });
      await navigate({ to: '/welcome', search: { org: organizationId, project: id } });
    },
  });
  return (
    <Card title={words.heading}>
      <p className="soft">{words.text}</p>
      <Form errors={creation.error} onSubmit={(values) => creation.mutate((values.get('name') as string).trim())}>
        <TextField label={words.name} name="name" maxLength={100} autoComplete="off" required autoFocus />
        <div>
          <Button type="submit" variant="primary" busy={creation.isPending} disabledReason={may('POST /projects')}>
            {words.create}
          </Button>
        </div>
      </Form>
    </Card>
  );
}
