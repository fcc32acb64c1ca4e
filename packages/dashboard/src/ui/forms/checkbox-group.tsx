import { Checkbox } from './checkbox';
import { type FieldProps } from './field';
import { Fieldset, type GroupOption } from './fieldset';
import s from './forms.module.css';

export interface CheckboxGroupProps extends FieldProps {
  readonly name: string;
  readonly options: readonly GroupOption[];
  /** With `onValue`; without both, the form reads the values with `FormData.getAll(name)`. */
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
