import { type ReactNode } from 'react';
import { classNames } from '../class-names';
import s from './display.module.css';

export interface TimelineItem {
  readonly id: string;
  readonly title: ReactNode;
  /** Shown after the title: actor and time. */
  readonly meta?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Fills the dot. */
  readonly current?: boolean;
}

export interface TimelineProps {
  /** Name of the list. */
  readonly label: string;
  readonly items: readonly TimelineItem[];
}

/** Events, the newest first. */
export function Timeline({ label, items }: TimelineProps) {
  return (
    <ol role="list" aria-label={label} className={s.timeline}>
      {items.map(({ id, title, meta, children, actions, current }) => (
        <li key={id} className={s.event}>
          <span className={classNames(s.eventDot, current && s.eventCurrent)} aria-hidden="true" />
          <div className={s.eventHead}>
            <div className={s.eventTitle}>{title}</div>
            {meta && <div className="soft">{meta}</div>}
          </div>
          {children && <div className={s.eventBody}>{children}</div>}
          {actions && <div className={s.eventActions}>{actions}</div>}
        </li>
      ))}
    </ol>
  );
}
