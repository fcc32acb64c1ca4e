import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { disableMfa } from '../../../queries/account/account';
import { useDeveloper } from '../../../queries/account/session';
import { useLeave } from '../../../session/use-leave';
import { Badge, Button, Card, FormDialog, Inline, PasswordField, TextField, useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import { formErrors } from '../form-errors';
import { useUnverified } from '../use-unverified';
import { MfaSetUp } from './mfa-set-up';

/** Shows whether logins need a code, and lets the developer change it. */
export function MfaCard() {
  const { mfa } = useWords().account.security;
  const isEnabled = useDeveloper().mfa_enabled;
  const disabledReason = useUnverified();
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  return (
    <Card
      title={mfa.title}
      actions={
        <Button
          variant={isEnabled ? 'secondary' : 'primary'}
          disabledReason={disabledReason}
          onClick={() => setIsOpen(true)}
        >
          {isEnabled ? mfa.turnOff : mfa.setUp}
        </Button>
      }
    >
      <Inline>
        <Badge tone={isEnabled ? 'success' : 'neutral'} dot={isEnabled ? 'filled' : 'hollow'}>
          {isEnabled ? mfa.on : mfa.off}
        </Badge>
        <span>{isEnabled ? mfa.textOn : mfa.textOff}</span>
      </Inline>
      {isOpen && (isEnabled ? <TurnOff onClose={close} /> : <MfaSetUp onClose={close} />)}
    </Card>
  );
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const account = useWords().account;
  const { mfa } = account.security;
  const { email } = useDeveloper();
  const queryClient = useQueryClient();
  const leave = useLeave();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (body: { password: string; code: string }) => disableMfa(email, body),
    onSuccess: async (isLoggedIn) => {
      toast(mfa.disabled, { tone: 'success' });
      onClose();
      await (isLoggedIn ? queryClient.invalidateQueries() : leave('/account/security'));
    },
  });
  const errors = useMemo(
    () =>
      formErrors(change.error, {
        wrong_password: { field: 'password', message: account.wrongPassword },
        wrong_code: { field: 'code', message: mfa.wrongCode },
      }),
    [change.error, account, mfa],
  );
  const submit = (values: FormData): void =>
    change.mutate({ password: values.get('password') as string, code: (values.get('code') as string).trim() });
  return (
    <FormDialog
      title={mfa.turnOff}
      size="small"
      onClose={onClose}
      submitLabel={mfa.turnOff}
      variant="danger"
      busy={change.isPending}
      onSubmit={submit}
      errors={errors}
      intro={<p>{mfa.turnOffText}</p>}
    >
      <PasswordField label={account.password} name="password" autoComplete="current-password" required />
      <TextField label={mfa.code} name="code" autoComplete="one-time-code" required />
    </FormDialog>
  );
}
