import { Banner, Stack } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { type Outcome, useOutcomeText } from './import/outcome';
import styles from './testers.module.css';

/** The result of adding people, and the people who unsubscribed before and stay unsubscribed. */
export function AddingResult({ outcome }: { outcome: Outcome }) {
  const words = useWords().testers.left;
  const format = useFormat();
  const textOf = useOutcomeText();
  return (
    <Stack gap={12}>
      <p role="status" className={styles.result}>
        {textOf(outcome)}
      </p>
      {outcome.left.length > 0 && (
        <Banner tone="warning" title={format.plural(outcome.left.length, words.title)}>
          <p>{words.text}</p>
          <ul className={styles.plain}>
            {outcome.left.map((email) => (
              <li key={email} className={styles.address}>
                {email}
              </li>
            ))}
          </ul>
        </Banner>
      )}
    </Stack>
  );
}
