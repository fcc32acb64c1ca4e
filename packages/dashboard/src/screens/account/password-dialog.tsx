import { type ReactNode, useMemo } from 'react';
import { FormDialog, PasswordField } from '../../ui';
import { useWords } from '../../words/words-provider';
import { formErrors } from './form-errors';

export interface PasswordDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  readonly variant: 'primary' | 'danger';
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
  const account = useWords().account;
  const errors = useMemo(
    () => formErrors(error, { wrong_password: { field: 'password', message: account.wrongPassword } }),
    [error, account],
  );
  return (
    <FormDialog
      title={title}
      size="small"
      onClose={onClose}
      submitLabel={submitLabel}
      variant={variant}
      busy={busy}
      disabledReason={disabledReason}
      onSubmit={(values) => onPassword(values.get('password') as string)}
      errors={errors}
      intro={children}
    >
      <PasswordField label={account.password} name="password" autoComplete="current-password" required />
    </FormDialog>
  );
}
