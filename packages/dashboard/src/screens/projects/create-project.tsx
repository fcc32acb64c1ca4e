import { type Language } from '@agate/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { keyOf } from '../../queries/keys';
import { api } from '../../session/api';
import { FormDialog, Select, TextField } from '../../ui';
import { useTexts } from '../../words/words-provider';

const LANGUAGES: readonly Language[] = ['en', 'de'];

/** Asks for a name and the language of the mails, and opens the new project. */
export function CreateProject({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  const { words: all, language } = useTexts();
  const words = all.projects.dialog;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const creation = useMutation({
    mutationFn: (values: FormData) =>
      api.request('POST /projects', {
        query: { organization_id: organizationId },
        body: { name: (values.get('name') as string).trim(), language: values.get('language') as Language },
      }),
    onSuccess: async ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: keyOf('projects', organizationId) });
      await navigate({ to: '/o/$org/p/$project', params: { org: organizationId, project: id } });
    },
  });
  return (
    <FormDialog
      title={words.title}
      onClose={onClose}
      submitLabel={words.create}
      busy={creation.isPending}
      errors={creation.error}
      onSubmit={(values) => creation.mutate(values)}
    >
      <TextField
        label={words.name}
        hint={words.nameHint}
        name="name"
        maxLength={100}
        autoComplete="off"
        required
        data-autofocus
      />
      <Select
        label={words.language}
        name="language"
        defaultValue={language}
        options={LANGUAGES.map((value) => ({ value, label: words.languages[value] }))}
      />
    </FormDialog>
  );
}
