import { type ReactNode, useId } from 'react';
import { classNames, idList } from '../class-names';
import { useTooltip } from '../overlays/use-tooltip';
import { Checkbox } from './checkbox';
import { FieldError, type FieldProps } from './field';
import { useFieldError } from './form';
import s from './forms.module.css';

/** An option of a group. */
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
function Fieldset({ label, hideLabel, hint, error, name, role, className, children }: FieldsetProps) {
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

export interface RadioOption extends GroupOption {
  /** Shown at the end of a card, for example a badge. */
  readonly aside?: ReactNode;
}

interface RadioGroupProps extends FieldProps {
  readonly name: string;
  readonly options: readonly RadioOption[];
  readonly value?: string | null;
  readonly defaultValue?: string;
  readonly onValue?: (value: string) => void;
  readonly required?: boolean;
  readonly inline?: boolean;
  readonly className?: string;
}

/** One choice of a few options, as plain radio buttons. */
export function RadioGroup(props: RadioGroupProps) {
  return <Radios look={props.inline ? s.inlineOptions : s.options} {...props} />;
}

/** One choice of a few options, as cards, each with an explanation. */
export function RadioCards(props: Omit<RadioGroupProps, 'inline'>) {
  return <Radios cards look={s.cards} {...props} />;
}

interface RadiosProps extends RadioGroupProps {
  readonly look: string | undefined;
  readonly cards?: boolean;
}

function Radios(props: RadiosProps) {
  const { options, value, defaultValue, onValue, required, inline: _, look, cards = false, name, ...fieldset } = props;
  return (
    <Fieldset name={name} role="radiogroup" {...fieldset}>
      <div className={look}>
        {options.map((option) => (
          <Radio
            key={option.value}
            {...{ name, option, cards, required }}
            checked={value === undefined ? undefined : value === option.value}
            defaultChecked={value === undefined ? defaultValue === option.value : undefined}
            onPick={() => onValue?.(option.value)}
          />
        ))}
      </div>
    </Fieldset>
  );
}

interface RadioProps {
  readonly name: string;
  readonly option: RadioOption;
  readonly cards: boolean;
  readonly required: boolean | undefined;
  readonly checked: boolean | undefined;
  readonly defaultChecked: boolean | undefined;
  readonly onPick: () => void;
}

function Radio({ name, option, cards, required, checked, defaultChecked, onPick }: RadioProps) {
  const id = useId();
  const { disabledReason } = option;
  const off = disabledReason !== undefined;
  const reason = useTooltip(disabledReason);
  return (
    <div className={classNames(s.toggle, cards && s.card)}>
      <input
        {...reason.handlers}
        type="radio"
        className={s.radio}
        {...{ id, name, required, checked, defaultChecked }}
        value={option.value}
        aria-describedby={idList(option.hint ? `${id}-hint` : null, off && reason.id)}
        aria-disabled={off || undefined}
        onClick={(event) => off && event.preventDefault()}
        onChange={() => !off && onPick()}
      />
      {reason.tip}
      <label htmlFor={id} className={s.toggleLabel}>
        {option.label}
      </label>
      {option.hint && (
        <div id={`${id}-hint`} className={s.toggleHint}>
          {option.hint}
        </div>
      )}
      {option.aside && <div className={s.aside}>{option.aside}</div>}
    </div>
  );
}

interface CheckboxGroupProps extends FieldProps {
  readonly name: string;
  readonly options: readonly GroupOption[];
  /** Used with `onValue`. Without both, the form reads the values with `FormData.getAll(name)`. */
  readonly value?: readonly string[];
  readonly defaultValue?: readonly string[];
  readonly onValue?: (value: string[]) => void;
  /** Puts the options side by side. */
  readonly inline?: boolean;
  readonly className?: string;
}

/** A group of checkboxes under one name. */
export function CheckboxGroup(props: CheckboxGroupProps) {
  const { options, value, defaultValue, onValue, inline, name, ...fieldset } = props;
  const change = (option: string, checked: boolean): void => {
    if (!value) return;
    onValue?.(options.map((one) => one.value).filter((one) => (one === option ? checked : value.includes(one))));
  };
  return (
    <Fieldset name={name} {...fieldset}>
      <div className={inline ? s.inlineOptions : s.options}>
        {options.map((option) => (
          <Checkbox
            key={option.value}
            name={name}
            value={option.value}
            label={option.label}
            hint={option.hint}
            error=""
            disabledReason={option.disabledReason}
            checked={value?.includes(option.value)}
            defaultChecked={value ? undefined : defaultValue?.includes(option.value)}
            onChange={(event) => change(option.value, event.target.checked)}
          />
        ))}
      </div>
    </Fieldset>
  );
}
