import { helpOfWarning, type WarningResponse } from '@agate/client';
import { Link } from '@tanstack/react-router';
import { useWarningText } from '../../../parts/builds/warning-text';
import { type Build } from '../../../queries/project/builds';
import { useProjectPlace } from '../../../session/use-project-place';
import { Card, ExternalLink, Icon } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

/** The warnings of a build. Each text says what to do. The one that blocks the build is the first. */
export function BuildWarnings({ build: { not_installable: reason, warnings, platform } }: { build: Build }) {
  const words = useWords().build;
  if (warnings.length === 0) return null;
  const isReason = ({ code, message }: WarningResponse): boolean => code === reason?.code && message === reason.message;
  return (
    <Card title={words.warnings} className={reason ? styles.problems : styles.warned}>
      <ul className={styles.warnings}>
        {[...warnings]
          .sort((a, b) => Number(isReason(b)) - Number(isReason(a)))
          .map((warning) => (
            <li key={`${warning.code} ${warning.message}`}>
              <Icon name={isReason(warning) ? 'problem' : 'warning'} />
              <Text warning={warning} platform={platform} />
            </li>
          ))}
      </ul>
    </Card>
  );
}

function Text({ warning, platform }: { warning: WarningResponse } & Pick<Build, 'platform'>) {
  const words = useWords();
  const { params } = useProjectPlace();
  const text = useWarningText()(warning);
  const other = warning.code === 'duplicate_of' && /\(([\da-f-]{36})\)/.exec(warning.message)?.[1];
  return (
    <span>
      {text}{' '}
      {other && (
        <Link to="/o/$org/p/$project/builds/$build" params={{ ...params, build: other }}>
          {words.builds.attention.build}
        </Link>
      )}{' '}
      <ExternalLink href={helpOfWarning(warning.code, platform)}>{words.build.warning.explained}</ExternalLink>
    </span>
  );
}
