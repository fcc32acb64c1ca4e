import { type ReactNode } from 'react';
import s from './data.module.css';

/** The buttons at the end of a table's row. Their variant is `quiet`. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={s.rowActions}>{children}</div>;
}
