import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { changeEmail } from '../../../queries/account/account';
import { useDeveloper } from '../../../queries/account/session';
import { FormDialog, PasswordField, TextField, useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import { ChangeCard } from '../change-card';
import { formErrors } from '../form-errors';

export function EmailCard() {
  const words = useWords().account.email;
  const developer = useDeveloper();
  return (
    <ChangeCard title={words.title} change={words.change} dialog={(close) => <EmailDialog onClose={close} />}>
      {developer.email}
    </ChangeCard>
  );
}

function EmailDialog({ onClose }: { onClose: () => void }) {
  const account = useWords().account;
  const words = account.email;
  const toast = useToast();
  const change = useMutation({
    mutationFn: ({ password, email }: { password: string; email: string }) => changeEmail(password, email),
    onSuccess: (_, { email }) => {
      toast(words.sent(email), { tone: 'success' });
      onClose();
    },
  });
  const errors = useMemo(
    () => formErrors(change.error, { wrong_password: { field: 'password', message: account.wrongPassword } }),
    [change.error, account],
  );
  const submit = (values: FormData): void =>
    change.mutate({ password: values.get('password') as string, email: (values.get('new_email') as string).trim() });
  return (
    <FormDialog
      title={words.change}
      size="small"
      onClose={onClose}
      submitLabel={words.submit}
      busy={change.isPending}
      onSubmit={submit}
      errors={errors}
    >
      <TextField label={words.newEmail} hint={words.hint} name="new_email" type="email" autoComplete="email" required />
      <PasswordField label={account.password} name="password" autoComplete="current-password" required />
    </FormDialog>
  );
}
