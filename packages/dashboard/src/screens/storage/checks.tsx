import { ApiError } from '@agate/client';
import { type StorageCheck } from '../../queries/organization/own-storage';
import { classNames, Icon } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './storage.module.css';

const ICONS = { passed: 'check', failed: 'problem', skipped: 'minus' } as const;

/** Durations are rounded up to tenths of a second, so only long ones say something. */
const SLOW_MS = 1_000;

/** The checks of a rejected configuration; null when it was rejected for another reason. */
export function checksOf(error: Error | null): readonly StorageCheck[] | null {
  if (!(error instanceof ApiError) || error.reason !== 'checks_failed') return null;
  const { checks } = error.details;
  return Array.isArray(checks) ? (checks as StorageCheck[]) : null;
}

/** Every check with its result, and the remedy of each failed check. */
export function Checks({ checks }: { readonly checks: readonly StorageCheck[] }) {
  const words = useWords().storage;
  const format = useFormat();
  const failures = checks.filter(({ status }) => status === 'failed').length;
  return (
    <>
      <p role="status">{failures === 0 ? words.allPassed : format.plural(failures, words.someFailed)}</p>
      <ul role="list" aria-label={words.checks} className={styles.checks}>
        {checks.map(({ name, status, reason, message, duration_ms: duration }) => (
          <li key={name} className={classNames(styles.check, styles[status])}>
            <Icon name={ICONS[status]} />
            <div>
              <span className={styles.name}>{words.check(words.checkNames[name], words.statuses[status])}</span>
              {status === 'failed' && <p>{words.remedy({ name, reason, message })}</p>}
              {status === 'passed' && duration >= SLOW_MS && (
                <span className={styles.duration}>{words.duration(format.number(duration))}</span>
              )}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
