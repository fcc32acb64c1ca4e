import { useWords } from '../words/words-provider';
import styles from './frame.module.css';

/** Shown when a screen takes longer than 200 ms to load. */
export function Pending() {
  return (
    <p role="status" className={styles.pending}>
      {useWords().frame.loading}
    </p>
  );
}
