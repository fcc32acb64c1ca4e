import { helpOfWarning, type WarningResponse } from '@agate/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useWarningText } from '../../../parts/builds/warning-text';
import { itemsOf } from '../../../parts/lists/list-screen';
import { type Build, buildsQuery } from '../../../queries/project/builds';
import { useProjectPlace } from '../../../session/use-project-place';
import { Card, ExternalLink, Icon } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

/** The warnings of a build. Each text says what to do. The one that blocks the build is the first. */
export function BuildWarnings({ build }: { build: Build }) {
  const words = useWords().build;
  const { not_installable: reason, warnings } = build;
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
              <Text warning={warning} build={build} />
            </li>
          ))}
      </ul>
    </Card>
  );
}

function Text({ warning, build }: { warning: WarningResponse; build: Build }) {
  const words = useWords();
  const { scope, params } = useProjectPlace();
  const text = useWarningText()(warning);
  const isDuplicate = warning.code === 'duplicate_of';
  // The other build may be deleted. Lists leave out deleted builds.
  const same = useInfiniteQuery({ ...buildsQuery(scope, { sha256: build.sha256 }), enabled: isDuplicate });
  const other = isDuplicate && itemsOf(same).find(({ id }) => warning.message.includes(id));
  return (
    <span>
      {text}{' '}
      {other && (
        <Link to="/o/$org/p/$project/builds/$build" params={{ ...params, build: other.id }}>
          {words.builds.attention.build}
        </Link>
      )}{' '}
      <ExternalLink href={helpOfWarning(warning.code, build.platform)}>{words.build.warning.explained}</ExternalLink>
    </span>
  );
}
