import { Card } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './retention.module.css';

/** The builds that no rule deletes. */
export function ProtectedCard() {
  const words = useWords().retention.protected;
  return (
    <Card title={words.heading} tone="sunk">
      <ul className={styles.list}>
        {words.items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </Card>
  );
}
