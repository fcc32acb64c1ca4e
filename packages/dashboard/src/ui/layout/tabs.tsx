import { type ReactNode } from 'react';
import s from './layout.module.css';

export interface TabsProps {
  /** Name of the navigation. */
  readonly label: string;
  /** Links; the one of this page has `aria-current="page"`, which the router's Link sets. */
  readonly children: ReactNode;
}

/** Links to the parts of a screen, which have an address each. */
export function Tabs({ label, children }: TabsProps) {
  return (
    <nav aria-label={label} className={s.tabs}>
      {children}
    </nav>
  );
}
