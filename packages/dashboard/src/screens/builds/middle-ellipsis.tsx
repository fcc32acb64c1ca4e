import { classNames } from '../../ui';
import styles from './builds.module.css';

/** The characters at the end that always stay: a branch often ends with the number of a ticket. */
const TAIL = 14;

/** A text in one line. Where it does not fit, its middle is left out. */
export function MiddleEllipsis({ children: text }: { children: string }) {
  const head = text.slice(0, -TAIL);
  if (head.length <= TAIL)
    return (
      <span className={classNames(styles.branch, styles.line)} title={text}>
        {text}
      </span>
    );
  return (
    <span className={classNames(styles.branch, styles.halves)} title={text}>
      <span className={styles.line}>{head}</span>
      <span>{text.slice(-TAIL)}</span>
    </span>
  );
}
