import { type ReactNode } from 'react';
import { useUpdatesPlace } from './use-updates-place';
import styles from './updates.module.css';

export interface UpdatesSectionProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** The place of the address when the section is opened. */
  readonly place: string;
  readonly children: ReactNode;
}

/** A part of a card that few visitors of its screen need. What it shows is requested when it is opened, and the address says that it is. */
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
