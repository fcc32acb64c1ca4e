import { type ComponentProps } from 'react';
import { classNames } from '../class-names';
import { Icon, type IconName } from '../icons';
import { VisuallyHidden } from '../visually-hidden';
import s from './actions.module.css';
import { type ButtonVariant, PlainButton } from './button';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'children'> {
  /** The name of the button, also shown on hover and focus. */
  readonly label: string;
  readonly icon: IconName;
  /** Default `quiet`. */
  readonly variant?: ButtonVariant;
  readonly busy?: boolean;
  readonly disabledReason?: string;
}

/** A square button with an icon and a hidden name. */
export function IconButton({ label, icon, variant = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <PlainButton caption={label} className={classNames(s.button, s[variant], s.square, className)} {...rest}>
      <Icon name={rest.busy ? 'spinner' : icon} className={rest.busy ? s.spinner : undefined} />
      <VisuallyHidden>{label}</VisuallyHidden>
    </PlainButton>
  );
}
