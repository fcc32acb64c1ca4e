import { type ReactNode } from 'react';
import { Heading } from './heading';
import { HelpLink } from './help-link';
import s from './layout.module.css';

export interface PageHeaderProps {
  readonly title: string;
  /** An AppIcon or Avatar before the heading. */
  readonly icon?: ReactNode;
  /** A link to the screen above, at the start of the line below the heading. */
  readonly above?: ReactNode;
  /** A line below the heading. */
  readonly detail?: ReactNode;
  /** Buttons at the end. */
  readonly actions?: ReactNode;
}

/** The head of a screen. */
export function PageHeader({ title, icon, above, detail, actions }: PageHeaderProps) {
  return (
    <div className={s.pageHeader}>
      {icon}
      <div className={s.pageTitle}>
        <div className={s.titleLine}>
          <Heading>{title}</Heading>
          <HelpLink />
        </div>
        {(above || detail) && (
          <div className={s.pageDetail}>
            {above}
            {above && detail && ' · '}
            {detail}
          </div>
        )}
      </div>
      {actions && <div className={s.actions}>{actions}</div>}
    </div>
  );
}
