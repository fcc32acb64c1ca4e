import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { changeEmail } from '../../../queries/account/account';
import { useDeveloper } from '../../../queries/account/session';
import { Button, Card, Dialog, Form, PasswordField, TextField, useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import { formErrors } from '../form-errors';
import { useUnverified } from '../use-unverified';

const FORM = 'change-email';

export function EmailCard() {
  const words = useWords().account.email;
  const developer = useDeveloper();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card
      title={words.title}
      actions={
        <Button disabledReason={useUnverified()} onClick={() => setIsOpen(true)}>
          {words.change}
        </Button>
      }
    >
      <p>{developer.email}</p>
      {isOpen && <EmailDialog onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

function EmailDialog({ onClose }: { onClose: () => void }) {
  const { account, ui } = useWords();
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
    <Dialog
      title={words.change}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button type="submit" form={FORM} variant="primary" busy={change.isPending}>
            {words.submit}
          </Button>
        </>
      }
    >
      <Form id={FORM} onSubmit={submit} errors={errors}>
        <TextField
          label={words.newEmail}
          hint={words.hint}
          name="new_email"
          type="email"
          autoComplete="email"
          required
        />
        <PasswordField label={account.password} name="password" autoComplete="current-password" required />
      </Form>
    </Dialog>
  );
}
