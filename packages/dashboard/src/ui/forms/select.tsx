import { type ComponentProps } from 'react';
import { Icon } from '../icons';
import { Field, type FieldProps } from './field';
import s from './forms.module.css';

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

export interface SelectProps extends FieldProps, ComponentProps<'select'> {
  /** Alternative to `<option>` and `<optgroup>` as children. */
  readonly options?: readonly SelectOption[];
}

/** The platform's own list box. */
export function Select({ label, hideLabel, hint, error, options, className, children, ...rest }: SelectProps) {
  return (
    <Field {...{ label, hideLabel, hint, error, className }} of={rest}>
      {(control) => (
        <span className={s.box}>
          <select {...rest} {...control} className={s.input}>
            {options?.map(({ value, label: text, disabled }) => (
              <option key={value} value={value} disabled={disabled}>
                {text}
              </option>
            ))}
            {children}
          </select>
          <Icon name="chevron-down" className={s.chevron} />
        </span>
      )}
    </Field>
  );
}
