import { type EnrolmentResponse } from '@agate/client';
import { focusManager, useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { confirmMfa, enrolMfa } from '../../../queries/account/account';
import { useLeave } from '../../../session/use-leave';
import { CopyField, FormDialog, QrCode, TextField, useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from '../account.module.css';
import { formErrors } from '../form-errors';
import { PasswordDialog } from '../password-dialog';
import { RecoveryCodes } from './recovery-codes';

interface Enrolment extends EnrolmentResponse {
  readonly password: string;
}

/** Turns two-factor login on: password, QR code, first code, recovery codes, login. */
export function MfaSetUp({ onClose }: { onClose: () => void }) {
  const { mfa } = useWords().account.security;
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [codes, setCodes] = useState<readonly string[]>();
  const leave = useLeave();
  const toast = useToast();
  usePause(codes !== undefined);
  if (codes) {
    const done = (): void => {
      toast(mfa.enabled, { tone: 'success' });
      void leave('/account/security');
    };
    return <RecoveryCodes codes={codes} onDone={done} />;
  }
  return enrolment ? (
    <ConfirmStep enrolment={enrolment} onClose={onClose} onConfirmed={setCodes} />
  ) : (
    <PasswordStep onClose={onClose} onEnrolled={setEnrolment} />
  );
}

/** The session has ended while the codes are shown. Queries would detect that and replace the codes by the login. */
function usePause(isPaused: boolean): void {
  useEffect(() => {
    if (!isPaused) return;
    focusManager.setFocused(false);
    return () => focusManager.setFocused(undefined);
  }, [isPaused]);
}

function PasswordStep({ onClose, onEnrolled }: { onClose: () => void; onEnrolled: (enrolment: Enrolment) => void }) {
  const { mfa } = useWords().account.security;
  const enrolling = useMutation({
    mutationFn: enrolMfa,
    onSuccess: (enrolment, password) => onEnrolled({ ...enrolment, password }),
  });
  return (
    <PasswordDialog
      title={mfa.setUp}
      submitLabel={mfa.next}
      variant="primary"
      busy={enrolling.isPending}
      error={enrolling.error}
      onPassword={(password) => enrolling.mutate(password)}
      onClose={onClose}
    >
      <p>{mfa.passwordText}</p>
    </PasswordDialog>
  );
}

interface ConfirmStepProps {
  readonly enrolment: Enrolment;
  readonly onClose: () => void;
  readonly onConfirmed: (codes: readonly string[]) => void;
}

function ConfirmStep({ enrolment, onClose, onConfirmed }: ConfirmStepProps) {
  const account = useWords().account;
  const { mfa } = account.security;
  const confirming = useMutation({
    mutationFn: (code: string) => confirmMfa({ password: enrolment.password, code }),
    onSuccess: onConfirmed,
  });
  const errors = useMemo(
    () => formErrors(confirming.error, { wrong_code: { field: 'code', message: mfa.wrongCode } }),
    [confirming.error, mfa],
  );
  return (
    <FormDialog
      title={mfa.setUp}
      size="small"
      onClose={onClose}
      submitLabel={mfa.turnOn}
      busy={confirming.isPending}
      onSubmit={(values) => confirming.mutate((values.get('code') as string).replaceAll(/\s/g, ''))}
      errors={errors}
      intro={
        <>
          <p>{mfa.scan}</p>
          <div className={styles.qr}>
            <QrCode value={enrolment.otpauth_url} label={mfa.qr} />
          </div>
          <CopyField label={mfa.secret} value={enrolment.secret} copyLabel={mfa.copySecret} />
        </>
      }
    >
      <TextField
        label={mfa.code}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        mono
        required
      />
    </FormDialog>
  );
}
