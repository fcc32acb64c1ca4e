import { type ReactNode } from 'react';
import { classNames } from '../class-names';
import { Icon, type IconName } from '../icons';
import { Heading } from '../layout/heading';
import s from './feedback.module.css';

export interface EmptyStateProps {
  /** Heading: "No builds yet". */
  readonly title: string;
  /** 1 on a page that has nothing else. Default 2. */
  readonly level?: 1 | 2 | 3;
  /** The future content of the list, and how to create it. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Takes the place of the ornament, which is for beginnings: a lock for a refusal, a lens for a search without results. */
  readonly icon?: IconName;
  /** A smaller form without the ornament, for cards. */
  readonly compact?: boolean;
}

/** The text of a list without rows. */
export function EmptyState({ title, level = 2, children, actions, icon, compact }: EmptyStateProps) {
  const Title = level === 1 ? Heading : level === 2 ? 'h2' : 'h3';
  return (
    <div className={classNames(s.empty, compact && s.emptyCompact)}>
      {icon && <Icon name={icon} className={s.emptyIcon} />}
      {!icon && !compact && <div className={s.slice} aria-hidden="true" />}
      <Title>{title}</Title>
      {children && <div className={s.emptyText}>{children}</div>}
      {actions && <div className={s.emptyActions}>{actions}</div>}
    </div>
  );
}
