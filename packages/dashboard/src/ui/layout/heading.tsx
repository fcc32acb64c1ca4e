import { type ReactNode, useEffect, useRef } from 'react';
import { headingAppeared } from './focus-heading';
import s from './layout.module.css';

/** The page's h1. It takes the focus after navigation (`focusHeading`). */
export function Heading({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (heading.current) headingAppeared(heading.current);
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={s.heading}>
      {children}
    </h1>
  );
}
