import { type ReactNode, useId } from 'react';
import { classNames, idList } from '../class-names';
import { Icon } from '../icons';
import { useFieldError } from './form';
import s from './forms.module.css';

/** The common properties of all fields. */
export interface FieldProps {
  readonly label: string;
  /** Keeps the label for screen readers only. */
  readonly hideLabel?: boolean;
  readonly hint?: ReactNode;
  /** Overrides the form's message for the field. */
  readonly error?: string;
}

export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface FieldFrameProps extends FieldProps {
  /** The properties of the control. */
  readonly of: {
    readonly name?: string | undefined;
    readonly id?: string | undefined;
    readonly 'aria-describedby'?: string | undefined;
  };
  readonly className?: string | undefined;
  readonly children: (control: ControlProps) => ReactNode;
}

/** Label, hint and message around a control. */
export function Field({ label, hideLabel, hint, error, of, className, children }: FieldFrameProps) {
  const ownId = useId();
  const controlId = of.id ?? ownId;
  const message = useFieldError(of.name);
  const shown = error ?? message;
  return (
    <div className={classNames(s.field, className)}>
      <label htmlFor={controlId} className={hideLabel ? 'visually-hidden' : s.label}>
        {label}
      </label>
      {hint && (
        <div id={`${controlId}-hint`} className={s.hint}>
          {hint}
        </div>
      )}
      {children({
        id: controlId,
        'aria-describedby': idList(
          of['aria-describedby'],
          hint ? `${controlId}-hint` : null,
          shown && `${controlId}-error`,
        ),
        'aria-invalid': shown ? true : undefined,
      })}
      {shown && <FieldError id={`${controlId}-error`}>{shown}</FieldError>}
    </div>
  );
}

/** The message below a field. */
export function FieldError({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <div id={id} className={s.error}>
      <Icon name="problem" />
      {children}
    </div>
  );
}
