import { type ReactNode } from 'react';
import { Card, Icon } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './attention.module.css';

/** A task for a person. */
export interface AttentionItem {
  readonly id: string;
  readonly text: string;
  /** The address where the task is done. */
  readonly link: ReactNode;
  /** `problem`: testers are without the app now or within a week. Default `info`. */
  readonly tone?: 'info' | 'warning' | 'problem';
}

/** Tasks for a person. Empty without items. */
export function AttentionCard({ items }: { items: readonly AttentionItem[] }) {
  const words = useWords().builds.attention;
  if (items.length === 0) return null;
  return (
    <Card title={words.heading}>
      <ul className={styles.list}>
        {items.map(({ id, text, link, tone = 'info' }) => (
          <li key={id}>
            <Icon name={tone} className={styles[tone]} />
            <div className={styles.task}>
              <span>{text}</span>
              {link}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
