import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LoadError } from '../../../parts/lists/load-error';
import { type Channel } from '../../../queries/project/channels';
import { subscribersQuery } from '../../../queries/project/subscribers';
import { useProjectPlace } from '../../../session/use-project-place';
import { Badge, Card, Skeleton } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from '../channels.module.css';

const SHOWN = 8;

/** The testers whom a promotion mails. The screen of the testers lists all of them. */
export function ChannelSubscribers({ channel }: { channel: Channel }) {
  const words = useWords().channels;
  const { scope, params } = useProjectPlace();
  const { data: testers, error, refetch } = useQuery(subscribersQuery(scope, channel.id, SHOWN));
  return (
    <Card
      title={words.subscribersHeading}
      footer={
        <Link to="/o/$org/p/$project/testers" params={params} search={{ channel: channel.id }}>
          {words.allSubscribers}
        </Link>
      }
    >
      {!testers && !error && <Skeleton count={3} />}
      {error && !testers && <LoadError error={error} onRetry={() => void refetch()} />}
      {testers?.length === 0 && <p className={styles.soft}>{words.noSubscribers}</p>}
      {testers && testers.length > 0 && (
        <ul role="list" className={styles.subscribers}>
          {testers.map(({ id, name, email, state }) => (
            <li key={id}>
              <Link to="/o/$org/p/$project/testers/$tester" params={{ ...params, tester: id }} title={email}>
                {name ?? email}
              </Link>
              {state && (
                <Badge tone={state === 'has_current' ? 'success' : state === 'behind' ? 'warning' : 'neutral'}>
                  {words.states[state] ?? state}
                </Badge>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
