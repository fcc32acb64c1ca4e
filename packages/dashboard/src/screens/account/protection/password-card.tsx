import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { changePassword } from '../../../queries/account/account';
import { useDeveloper } from '../../../queries/account/session';
import { useLeave } from '../../../session/use-leave';
import { FormDialog, PasswordField, useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import { ChangeCard } from '../change-card';
import { formErrors } from '../form-errors';

export function PasswordCard() {
  const words = useWords().account.passwordCard;
  return (
    <ChangeCard title={words.title} change={words.change} dialog={(close) => <PasswordDialog onClose={close} />}>
      {words.text}
    </ChangeCard>
  );
}

function PasswordDialog({ onClose }: { onClose: () => void }) {
  const account = useWords().account;
  const words = account.passwordCard;
  const { email } = useDeveloper();
  const queryClient = useQueryClient();
  const leave = useLeave();
  const toast = useToast();
  const change = useMutation({
    mutationFn: ({ current, next }: { current: string; next: string }) => changePassword(email, current, next),
    onSuccess: async (isLoggedIn) => {
      toast(isLoggedIn ? words.done : words.doneLogIn, { tone: 'success' });
      onClose();
      await (isLoggedIn ? queryClient.invalidateQueries() : leave('/account'));
    },
  });
  const errors = useMemo(
    () => formErrors(change.error, { wrong_password: { field: 'current_password', message: account.wrongPassword } }),
    [change.error, account],
  );
  const submit = (values: FormData): void =>
    change.mutate({
      current: values.get('current_password') as string,
      next: values.get('new_password') as string,
    });
  return (
    <FormDialog
      title={words.change}
      size="small"
      onClose={onClose}
      submitLabel={words.change}
      busy={change.isPending}
      onSubmit={submit}
      errors={errors}
    >
      <PasswordField label={words.current} name="current_password" autoComplete="current-password" required />
      <PasswordField
        label={words.next}
        hint={words.hint}
        name="new_password"
        autoComplete="new-password"
        minLength={10}
        maxLength={256}
        required
      />
    </FormDialog>
  );
}
