import { type EnrolmentResponse } from '@agate/client';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
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

/**
 * Turns two-factor login on: password, recovery codes, QR code and first code, login. The recovery codes come first, because the session ends
 * when two-factor login is on, and nothing may be lost with it.
 */
export function MfaSetUp({ onClose }: { onClose: () => void }) {
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [isKept, setIsKept] = useState(false);
  if (!enrolment) return <PasswordStep onClose={onClose} onEnrolled={setEnrolment} />;
  if (isKept) return <ConfirmStep enrolment={enrolment} onClose={onClose} />;
  return <RecoveryCodes codes={enrolment.recovery_codes} onKept={() => setIsKept(true)} onClose={onClose} />;
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
}

function ConfirmStep({ enrolment, onClose }: ConfirmStepProps) {
  const { mfa } = useWords().account.security;
  const leave = useLeave();
  const toast = useToast();
  const confirming = useMutation({
    mutationFn: (code: string) => confirmMfa({ password: enrolment.password, code }),
    onSuccess: async () => {
      toast(mfa.enabled, { tone: 'success' });
      await leave('/account/security');
    },
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
