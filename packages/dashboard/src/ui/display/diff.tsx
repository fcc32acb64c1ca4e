import { type ReactNode } from 'react';
import { classNames } from '../class-names';
import { Icon } from '../icons';
import { useUiWords } from '../ui-words';
import { VisuallyHidden } from '../visually-hidden';
import s from './display.module.css';

export interface Difference {
  readonly label: string;
  /** Null or absent: there was no value before. */
  readonly before?: ReactNode;
  readonly after: ReactNode;
  /** The value is the same; `after` shows it. */
  readonly same?: boolean;
  /** The meaning of the difference for the reader. */
  readonly note?: ReactNode;
  readonly tone?: 'warning' | 'problem' | 'success';
}

/** The differences between two objects, by fact. */
export function Diff({ items }: { readonly items: readonly Difference[] }) {
  const words = useUiWords();
  return (
    <dl className={s.diff}>
      {items.map(({ label, before, after, same, note, tone }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={classNames(tone && s[`${tone}Text`])}>
            {same ? (
              <span className="soft">
                {after} <span className={s.same}>{words.unchanged}</span>
              </span>
            ) : (
              <span>
                {before !== undefined && before !== null && (
                  <>
                    <span className="soft">{before}</span> <Icon name="arrow-right" className={s.arrow} />
                    <VisuallyHidden> {words.changesTo}</VisuallyHidden>{' '}
                  </>
                )}
                <strong className="strong">{after}</strong>
              </span>
            )}
            {note && <div className={s.note}>{note}</div>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
