import { type ReactNode, useId } from 'react';
import { classNames } from '../class-names';
import { Icon } from '../icons';
import s from './feedback.module.css';

export type Tone = 'info' | 'success' | 'warning' | 'problem';

export interface BannerProps {
  /** Name of the region. */
  readonly title: string;
  /** Default `info`. */
  readonly tone?: Tone;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** A message about the whole screen or a whole card. */
export function Banner({ title, tone = 'info', children, actions }: BannerProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classNames(s.banner, s[tone])}>
      <Icon name={tone} />
      <div className={s.bannerText}>
        <p id={id} className={s.bannerTitle}>
          {title}
        </p>
        {children && <div>{children}</div>}
      </div>
      {actions && <div className={s.bannerActions}>{actions}</div>}
    </section>
  );
}
