import { type ReactNode, useId } from 'react';
import { classNames, idList } from '../class-names';
import { FieldError, type FieldProps } from './field';
import { useFieldError } from './form';
import s from './forms.module.css';

/** A choice among those that a group offers. */
export interface GroupOption {
  readonly value: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly disabledReason?: string;
}

interface FieldsetProps extends FieldProps {
  readonly name: string;
  readonly role?: 'radiogroup';
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A named group of controls, with its hint and message. */
export function Fieldset({ label, hideLabel, hint, error, name, role, className, children }: FieldsetProps) {
  const id = useId();
  const message = useFieldError(name);
  const shown = error ?? message;
  return (
    <fieldset
      role={role}
      className={classNames(s.fieldset, className)}
      aria-describedby={idList(hint ? `${id}-hint` : null, shown && `${id}-error`)}
    >
      <legend className={hideLabel ? 'visually-hidden' : s.legend}>{label}</legend>
      {hint && (
        <div id={`${id}-hint`} className={s.hint}>
          {hint}
        </div>
      )}
      {children}
      {shown && <FieldError id={`${id}-error`}>{shown}</FieldError>}
    </fieldset>
  );
}
