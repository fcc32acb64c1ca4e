import { type ReactNode } from 'react';
import { classNames } from '../class-names';
import { Icon, type IconName } from '../icons';
import s from './display.module.css';

export interface BadgeProps {
  /** Default `neutral`. */
  readonly tone?: 'neutral' | 'accent' | 'info' | 'success' | 'warning' | 'problem';
  readonly icon?: IconName;
  /** A dot before the text: filled for a current state, hollow for a past one. */
  readonly dot?: 'filled' | 'hollow';
  readonly children: ReactNode;
}

/** One or two words about a state. */
export function Badge({ tone = 'neutral', icon, dot, children }: BadgeProps) {
  return (
    <span className={classNames(s.badge, s[tone])}>
      {icon && <Icon name={icon} />}
      {dot && <span className={classNames(s.dot, dot === 'hollow' && s.hollow)} aria-hidden="true" />}
      {children}
    </span>
  );
}
