import { type ComponentProps, useRef } from 'react';
import { IconButton } from '../actions/icon-button';
import { Icon } from '../icons';
import { useUiWords } from '../ui-words';
import { Field, type FieldProps } from './field';
import s from './forms.module.css';

export interface SearchFieldProps
  extends Pick<FieldProps, 'label'>, Omit<ComponentProps<'input'>, 'children' | 'type' | 'value' | 'onChange'> {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** The key that focuses the field, shown at its end. */
  readonly shortcut?: string;
}

/** A search box whose label is its placeholder, with a button that clears it. */
export function SearchField({ label, value, onValue, shortcut, className, ...rest }: SearchFieldProps) {
  const words = useUiWords();
  const input = useRef<HTMLInputElement>(null);
  const clear = (): void => {
    onValue('');
    input.current?.focus();
  };
  return (
    <Field label={label} hideLabel className={className} of={rest}>
      {(control) => (
        <span className={s.box}>
          <span className={s.affix}>
            <Icon name="search" />
          </span>
          <input
            ref={input}
            placeholder={label}
            autoComplete="off"
            spellCheck={false}
            {...rest}
            {...control}
            type="search"
            className={s.input}
            value={value}
            onChange={(event) => onValue(event.target.value)}
          />
          {value && <IconButton className={s.inside} label={words.clearSearch} icon="close" onClick={clear} />}
          {!value && shortcut && (
            <kbd className={s.shortcut} aria-hidden="true">
              {shortcut}
            </kbd>
          )}
        </span>
      )}
    </Field>
  );
}
