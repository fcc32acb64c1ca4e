import { type ReactNode } from 'react';
import { classNames } from '../class-names';
import { Icon, type IconName } from '../icons';
import s from './display.module.css';

export interface BadgeProps {
  /** Default `neutral`. */
  readonly tone?: 'neutral' | 'accent' | 'info' | 'success' | 'warning' | 'problem';
  readonly icon?: IconName;
  /** A dot before the text: filled for what is current, hollow for what was. */
  readonly dot?: 'filled' | 'hollow';
  readonly children: ReactNode;
}

/** A word or two about the state of a thing. */
export function Badge({ tone = 'neutral', icon, dot, children }: BadgeProps) {
  return (
    <span className={classNames(s.badge, s[tone])}>
      {icon && <Icon name={icon} />}
      {dot && <span className={classNames(s.dot, dot === 'hollow' && s.hollow)} aria-hidden="true" />}
      {children}
    </span>
  );
}
