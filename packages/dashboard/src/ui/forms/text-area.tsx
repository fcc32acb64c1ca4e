import { type ComponentProps } from 'react';
import { classNames } from '../class-names';
import { Field, type FieldProps } from './field';
import s from './forms.module.css';

export interface TextAreaProps extends FieldProps, Omit<ComponentProps<'textarea'>, 'children'> {
  readonly mono?: boolean;
}

/** Several lines of text. It grows with its text where the browser supports that. */
export function TextArea({ label, hideLabel, hint, error, mono, className, ...rest }: TextAreaProps) {
  return (
    <Field {...{ label, hideLabel, hint, error, className }} of={rest}>
      {(control) => (
        <span className={s.box}>
          <textarea rows={3} {...rest} {...control} className={classNames(s.input, s.area, mono && 'mono')} />
        </span>
      )}
    </Field>
  );
}
