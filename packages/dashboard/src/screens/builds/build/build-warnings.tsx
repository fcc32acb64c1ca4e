import { type BuildResponse } from '@agate/client';
import { Card, Icon } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

/** What is wrong with a build. Each message of the service says what to do. */
export function BuildWarnings({ warnings }: Pick<BuildResponse, 'warnings'>) {
  const words = useWords().build;
  return (
    <Card title={words.warnings}>
      {warnings.length === 0 ? (
        <p className={styles.soft}>{words.noWarnings}</p>
      ) : (
        <ul className={styles.warnings}>
          {warnings.map(({ code, message }) => (
            <li key={code}>
              <Icon name="warning" />
              <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
