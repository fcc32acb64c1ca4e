import { type ReactNode, useId } from 'react';
import { classNames } from '../class-names';
import s from './layout.module.css';

export interface CardProps {
  /** Name of the region, and its heading. */
  readonly title: string;
  readonly hideTitle?: boolean;
  /** Level of the heading. Default 2. */
  readonly level?: 2 | 3;
  readonly actions?: ReactNode;
  readonly footer?: ReactNode;
  /** Lets a table or a list reach the edges. */
  readonly flush?: boolean;
  readonly tone?: 'plain' | 'sunk' | 'problem';
  readonly className?: string;
  readonly children?: ReactNode;
}

/** A region of a screen with its heading. */
export function Card(props: CardProps) {
  const { title, hideTitle, level = 2, actions, footer, flush, tone = 'plain', className, children } = props;
  const id = useId();
  const Title = level === 2 ? 'h2' : 'h3';
  return (
    <section aria-labelledby={id} data-surface className={classNames(s.card, flush && s.flush, s[tone], className)}>
      <div className={hideTitle && !actions ? 'visually-hidden' : s.cardHead}>
        <Title id={id} className={hideTitle ? 'visually-hidden' : undefined}>
          {title}
        </Title>
        {actions && <div className={s.actions}>{actions}</div>}
      </div>
      {children !== undefined && children !== null && <div className={s.cardBody}>{children}</div>}
      {footer && <div className={s.cardFoot}>{footer}</div>}
    </section>
  );
}
