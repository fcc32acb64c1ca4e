import { Link } from '@tanstack/react-router';
import { type Build } from '../../../queries/builds';
import { useProjectPlace } from '../../../session/use-project-place';
import { Badge, Card } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

/** The channels that the build was promoted to, and whether testers get it there now. */
export function BuildChannels({ build: { channels } }: { build: Build }) {
  const words = useWords();
  const { params } = useProjectPlace();
  return (
    <Card title={words.build.channels}>
      {channels.length === 0 ? (
        <p className={styles.soft}>{words.build.noChannels}</p>
      ) : (
        <ul className={styles.channels}>
          {channels.map(({ id, name, current }) => (
            <li key={id}>
              <Link to="/o/$org/p/$project/channels/$channel" params={{ ...params, channel: id }}>
                {name}
              </Link>
              <Badge tone={current ? 'success' : 'neutral'} dot={current ? 'filled' : 'hollow'}>
                {current ? words.builds.current : words.build.was}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
