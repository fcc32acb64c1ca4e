import { type ReactNode } from 'react';
import { IconButton } from '../actions/icon-button';
import s from './data.module.css';

export interface SelectionBarProps {
  /** Name of the region: "Selection". */
  readonly label: string;
  /** "2 selected". */
  readonly text: string;
  readonly clearLabel: string;
  readonly onClear: () => void;
  /** The actions on the selected rows. */
  readonly children: ReactNode;
}

/** The actions on the selected rows. The bar stays visible at the lower edge. */
export function SelectionBar({ label, text, clearLabel, onClear, children }: SelectionBarProps) {
  return (
    <section aria-label={label} className={s.selectionBar}>
      <IconButton label={clearLabel} icon="close" onClick={onClear} />
      <span className={s.selectionText}>{text}</span>
      <div className={s.selectionActs}>{children}</div>
    </section>
  );
}
