import { type BuildResponse, helpOfWarning } from '@agate/client';
import { useWarningText } from '../../../parts/builds/warning-text';
import { Card, ExternalLink, Icon } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

/** The warnings of a build. Each text says what to do. */
export function BuildWarnings({ warnings, platform }: Pick<BuildResponse, 'warnings' | 'platform'>) {
  const words = useWords().build;
  const textOf = useWarningText();
  if (warnings.length === 0) {
    return (
      <Card title={words.warnings}>
        <p className={styles.fine}>
          <Icon name="success" />
          {words.noWarnings}
        </p>
      </Card>
    );
  }
  return (
    <Card title={words.warnings} className={styles.problems}>
      <ul className={styles.warnings}>
        {warnings.map((warning) => (
          <li key={warning.code}>
            <Icon name="warning" />
            <span>
              {textOf(warning)}{' '}
              <ExternalLink href={helpOfWarning(warning.code, platform)}>{words.warning.explained}</ExternalLink>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
