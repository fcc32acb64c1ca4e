import { type ComponentProps, type ReactNode } from 'react';
import { classNames } from '../class-names';
import { Field, type FieldProps } from './field';
import s from './forms.module.css';

export interface TextFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'children'> {
  /** Shown inside the field, before the typed text, for example "$". */
  readonly before?: ReactNode;
  readonly after?: ReactNode;
  /** For ids, hashes and codes. */
  readonly mono?: boolean;
}

/** A line of text, a number, a date, …, by `type`. */
export function TextField(props: TextFieldProps) {
  const { label, hideLabel, hint, error, before, after, mono, className, ...rest } = props;
  return (
    <Field {...{ label, hideLabel, hint, error, className }} of={rest}>
      {(control) => (
        <span className={s.box}>
          {before && <span className={s.affix}>{before}</span>}
          <input type="text" {...rest} {...control} className={classNames(s.input, mono && 'mono')} />
          {after && <span className={s.affix}>{after}</span>}
        </span>
      )}
    </Field>
  );
}
