import { type ReactNode } from 'react';
import styles from './updates.module.css';
import { useUpdatesPlace } from './use-updates-place';

export interface UpdatesSectionProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** The place in the address while the section is open. */
  readonly place: string;
  readonly children: ReactNode;
}

/**
 * A part of a card that few visitors of its screen need. Its data is requested when it is opened, and the address stores that it is open.
 */
export function UpdatesSection({ title, isOpen, place, children }: UpdatesSectionProps) {
  const [, go] = useUpdatesPlace();
  return (
    <details
      className={styles.section}
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => open !== isOpen && go(open ? { updates: place } : {})}
    >
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}
