import { type ReactNode, useId } from 'react';
import { Stack } from '../../ui';
import styles from './billing.module.css';

/** A region of a card that has several, with its heading. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Stack gap={8}>
        <h3 id={id} className={styles.title}>
          {title}
        </h3>
        {children}
      </Stack>
    </section>
  );
}
