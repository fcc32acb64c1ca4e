import { type ReactNode, useId, useMemo } from 'react';
import { Button, type ButtonVariant, Dialog, Form, PasswordField } from '../../ui';
import { useWords } from '../../words/words-provider';
import { formErrors } from './form-errors';

export interface PasswordDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  readonly variant: ButtonVariant;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly disabledReason?: string | undefined;
  readonly onPassword: (password: string) => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Asks for the password before an action for which a stolen session must not suffice. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, submitLabel, variant, busy, error, disabledReason, onPassword, onClose, children } = props;
  const { account, ui } = useWords();
  const id = useId();
  const errors = useMemo(
    () => formErrors(error, { wrong_password: { field: 'password', message: account.wrongPassword } }),
    [error, account],
  );
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button type="submit" form={id} variant={variant} busy={busy} disabledReason={disabledReason}>
            {submitLabel}
          </Button>
        </>
      }
    >
      {children}
      <Form id={id} onSubmit={(values) => onPassword(values.get('password') as string)} errors={errors}>
        <PasswordField label={account.password} name="password" autoComplete="current-password" required />
      </Form>
    </Dialog>
  );
}
