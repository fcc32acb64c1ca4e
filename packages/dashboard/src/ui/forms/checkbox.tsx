import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';
import { classNames, idList } from '../class-names';
import { useTooltip } from '../overlays/use-tooltip';
import { FieldError } from './field';
import { useFieldError } from './form';
import s from './forms.module.css';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'children' | 'disabled'> {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly hint?: ReactNode;
  readonly error?: string;
  /** Some, but not all, of the represented items are selected. */
  readonly indeterminate?: boolean;
  /** The reason why it cannot be changed. The checkbox stays focusable, and the reason is shown and announced. */
  readonly disabledReason?: string;
}

/** A checkbox with its label behind it. */
export function Checkbox({ indeterminate = false, ...rest }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate;
  }, [indeterminate]);
  return <Toggle inputRef={input} inputClass={s.check} {...rest} />;
}

interface RowCheckboxProps {
  /** The accessible name. It is not shown. */
  readonly label: string;
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
}

/** The checkbox of a row. A list has many of them, so that it is one element. */
export function RowCheckbox({ label, checked, onChecked }: RowCheckboxProps) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      className={s.check}
      checked={checked}
      onChange={(event) => onChecked(event.currentTarget.checked)}
    />
  );
}

/** A checkbox that is less prominent than what stands beside it. */
export function Chip(props: Omit<CheckboxProps, 'indeterminate' | 'hint'>) {
  return <Toggle inputClass={s.check} {...props} className={classNames(s.chip, props.className)} />;
}

interface ToggleProps extends Omit<CheckboxProps, 'indeterminate'> {
  readonly inputRef?: React.Ref<HTMLInputElement>;
  readonly inputClass: string | undefined;
}

/** The common properties of a checkbox and a switch. */
function Toggle(props: ToggleProps) {
  const { label, hideLabel, hint, error, disabledReason, className, inputRef, inputClass, ...rest } = props;
  const ownId = useId();
  const id = rest.id ?? ownId;
  const message = useFieldError(rest.name);
  const shown = error ?? message;
  const reason = useTooltip(disabledReason);
  const off = disabledReason !== undefined;
  const described = idList(
    rest['aria-describedby'],
    hint ? `${id}-hint` : null,
    shown && `${id}-error`,
    off && reason.id,
  );
  return (
    <div className={classNames(s.toggle, className)}>
      <input
        {...rest}
        {...reason.handlers}
        id={id}
        ref={inputRef}
        type="checkbox"
        className={inputClass}
        aria-describedby={described}
        aria-invalid={shown ? true : undefined}
        aria-disabled={off || undefined}
        onClick={(event) => (off ? event.preventDefault() : rest.onClick?.(event))}
        onChange={(event) => !off && rest.onChange?.(event)}
      />
      {reason.tip}
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : s.toggleLabel}>
        {label}
      </label>
      {hint && (
        <div id={`${id}-hint`} className={s.toggleHint}>
          {hint}
        </div>
      )}
      {shown && <FieldError id={`${id}-error`}>{shown}</FieldError>}
    </div>
  );
}

type SwitchProps = Omit<CheckboxProps, 'indeterminate'>;

/** A setting that takes effect immediately. */
export function Switch(props: SwitchProps) {
  return <Toggle role="switch" inputClass={s.switch} {...props} />;
}
