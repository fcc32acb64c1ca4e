import { type ReactNode } from 'react';
import s from './layout.module.css';

export interface FoldProps {
  readonly title: ReactNode;
  readonly open?: boolean | undefined;
  readonly onToggle?: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** A part of a screen that few readers need, below a title that opens it. */
export function Fold({ title, open, onToggle, children }: FoldProps) {
  return (
    <details className={s.fold} open={open} onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
