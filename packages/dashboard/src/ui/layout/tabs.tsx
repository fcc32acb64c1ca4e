import { type ReactNode } from 'react';
import s from './layout.module.css';

export interface TabsProps {
  /** Name of the navigation. */
  readonly label: string;
  /** The links. The link to the current page has `aria-current="page"`, which the router's Link sets. */
  readonly children: ReactNode;
}

/** Links to the parts of a screen, each of which has an address. */
export function Tabs({ label, children }: TabsProps) {
  return (
    <nav aria-label={label} className={s.tabs}>
      {children}
    </nav>
  );
}
