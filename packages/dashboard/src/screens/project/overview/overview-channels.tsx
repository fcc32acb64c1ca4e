import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LoadError } from '../../../parts/lists/load-error';
import { versionOf } from '../../../queries/project/builds';
import { type Channel, channelsQuery } from '../../../queries/project/channels';
import { useProjectPlace } from '../../../session/use-project-place';
import { Badge, Card, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './overview.module.css';

/** The number of channels that are shown at first. The screen of the channels lists all. */
const SHOWN = 6;

/** The channels side by side, with their current builds. */
export function OverviewChannels() {
  const words = useWords().project;
  const format = useFormat();
  const { scope, params } = useProjectPlace();
  const { data: channels, error, refetch } = useQuery(channelsQuery(scope));
  const hidden = (channels?.length ?? 0) - SHOWN;
  return (
    <Card
      title={words.channels}
      actions={
        <Link to="/o/$org/p/$project/channels" params={params}>
          {words.allChannels}
        </Link>
      }
    >
      {!channels && error && <LoadError error={error} onRetry={() => void refetch()} />}
      {channels?.length === 0 && <p className="soft">{words.noChannels}</p>}
      {channels && channels.length > 0 && (
        <ul className={styles.channels}>
          {channels.slice(0, SHOWN).map((channel) => (
            <ChannelItem key={channel.id} channel={channel} />
          ))}
        </ul>
      )}
      {hidden > 0 && <p className="soft">{format.plural(hidden, words.moreChannels)}</p>}
    </Card>
  );
}

function ChannelItem({ channel: { id, name, current, subscribers } }: { channel: Channel }) {
  const words = useWords();
  const format = useFormat();
  const { params } = useProjectPlace();
  return (
    <li>
      <div className={styles.channelHead}>
        <Link to="/o/$org/p/$project/channels/$channel" params={{ ...params, channel: id }} className={styles.name}>
          {name}
        </Link>
        <span className="soft small">{format.plural(subscribers, words.project.subscribers)}</span>
      </div>
      {current.length === 0 && <p className="soft">{words.project.nothingCurrent}</p>}
      {current.map((one) => (
        <p key={one.platform}>
          <span className="soft">{words.builds.platforms[one.platform] ?? one.platform}</span>{' '}
          <Link to="/o/$org/p/$project/builds/$build" params={{ ...params, build: one.build_id }}>
            {versionOf(one)}
          </Link>{' '}
          <span className="soft small">
            <Time value={one.promoted_at} />
          </span>
          {!one.installable && (
            <>
              {' '}
              <Badge tone="warning">{words.project.notInstallable}</Badge>
            </>
          )}
        </p>
      ))}
    </li>
  );
}
