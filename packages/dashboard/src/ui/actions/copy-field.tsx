import { useId } from 'react';
import s from './actions.module.css';
import { CopyButton } from './copy-button';

export interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  /** The name of the button, for example "Copy install link". */
  readonly copyLabel: string;
  readonly hideLabel?: boolean;
  readonly onCopied?: () => void;
}

/** A read-only field with its copy button. */
export function CopyField({ label, value, copyLabel, hideLabel, onCopied }: CopyFieldProps) {
  const id = useId();
  return (
    <div className={s.copyField}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : s.copyLabel}>
        {label}
      </label>
      <input id={id} readOnly value={value} className={s.copyInput} onFocus={(event) => event.target.select()} />
      <CopyButton label={copyLabel} value={value} onCopied={onCopied} />
    </div>
  );
}
