import { type CheckboxProps, Toggle } from './checkbox';
import s from './forms.module.css';

export type SwitchProps = Omit<CheckboxProps, 'indeterminate'>;

/** A setting that takes effect at once. */
export function Switch(props: SwitchProps) {
  return <Toggle role="switch" inputClass={s.switch} {...props} />;
}
