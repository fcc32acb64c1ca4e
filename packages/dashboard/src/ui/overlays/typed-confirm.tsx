import { useState } from 'react';
import { TextField } from '../forms/text-field';
import { AlertDialog, type AlertDialogProps } from './alert-dialog';
import s from './overlays.module.css';

export interface TypedConfirmProps extends AlertDialogProps {
  /** The text that must be typed before the button works. */
  readonly expected: string;
  /** For example "Type tess@example.com to confirm". */
  readonly fieldLabel: string;
  /** The reason why the button does nothing until then. */
  readonly mismatchReason: string;
}

/** An alert dialog whose button works only after a text was typed. */
export function TypedConfirm(props: TypedConfirmProps) {
  return props.open === false ? null : <OpenTypedConfirm {...props} />;
}

function OpenTypedConfirm({ expected, fieldLabel, mismatchReason, children, ...rest }: TypedConfirmProps) {
  const [typed, setTyped] = useState('');
  const reason = typed.trim() === expected ? rest.disabledReason : mismatchReason;
  return (
    <AlertDialog {...rest} disabledReason={reason}>
      {children}
      <div className={s.typed}>
        <TextField
          label={fieldLabel}
          value={typed}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && reason === undefined && rest.onConfirm()}
        />
      </div>
    </AlertDialog>
  );
}
