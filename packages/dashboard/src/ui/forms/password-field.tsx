import { type ComponentProps, useState } from 'react';
import { IconButton } from '../actions/icon-button';
import { useUiWords } from '../ui-words';
import { Field, type FieldProps } from './field';
import s from './forms.module.css';

export interface PasswordFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'children' | 'type'> {
  readonly autoComplete: 'current-password' | 'new-password';
}

/** A password, which a button shows and hides. */
export function PasswordField({ label, hideLabel, hint, error, className, ...rest }: PasswordFieldProps) {
  const words = useUiWords();
  const [shown, setShown] = useState(false);
  return (
    <Field {...{ label, hideLabel, hint, error, className }} of={rest}>
      {(control) => (
        <span className={s.box}>
          <input
            autoCapitalize="off"
            spellCheck={false}
            {...rest}
            {...control}
            type={shown ? 'text' : 'password'}
            className={s.input}
          />
          <IconButton
            className={s.inside}
            label={shown ? words.hidePassword : words.showPassword}
            icon={shown ? 'eye-off' : 'eye'}
            onClick={() => setShown(!shown)}
          />
        </span>
      )}
    </Field>
  );
}
