import { useId } from 'react';
import { classNames } from '../class-names';
import s from './actions.module.css';
import { CopyButton } from './copy-button';

export interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  /** The name of the button, for example "Copy install link". */
  readonly copyLabel: string;
  readonly hideLabel?: boolean;
  /** Shows the button as an icon inside of the field. */
  readonly iconOnly?: boolean;
  readonly onCopied?: () => void;
}

/** A read-only field with its copy button. */
export function CopyField({ label, value, copyLabel, hideLabel, iconOnly, onCopied }: CopyFieldProps) {
  const id = useId();
  return (
    <div className={classNames(s.copyField, iconOnly && s.copyInside)}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : s.copyLabel}>
        {label}
      </label>
      <input id={id} readOnly value={value} className={s.copyInput} onFocus={(event) => event.target.select()} />
      <CopyButton label={copyLabel} value={value} iconOnly={iconOnly} onCopied={onCopied} />
    </div>
  );
}
