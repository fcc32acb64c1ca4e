import { useMutation, useQueryClient } from '@tanstack/react-query';
import { GuardedForm } from '../../../parts/guarded-form';
import { updateProfile } from '../../../queries/account/account';
import { sessionQuery, useDeveloper } from '../../../queries/account/session';
import { Card, SubmitRow, TextField, useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import { useUnverified } from '../use-unverified';

export function ProfileCard() {
  const words = useWords().account.profile;
  const developer = useDeveloper();
  const queryClient = useQueryClient();
  const toast = useToast();
  const saving = useMutation({
    mutationFn: (name: string) => updateProfile({ name: name || null }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      toast(words.saved, { tone: 'success' });
    },
  });
  return (
    <Card title={words.title}>
      <GuardedForm onSubmit={(values) => saving.mutate((values.get('name') as string).trim())} errors={saving.error}>
        <TextField
          label={words.name}
          hideLabel
          hint={words.hint}
          name="name"
          autoComplete="name"
          maxLength={100}
          defaultValue={developer.name ?? ''}
        />
        <SubmitRow busy={saving.isPending} disabledReason={useUnverified()}>
          {words.save}
        </SubmitRow>
      </GuardedForm>
    </Card>
  );
}
