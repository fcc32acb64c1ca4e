import { type Platform, PLATFORMS, type ProjectSummaryResponse } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LoadError } from '../../../parts/lists/load-error';
import { QrButton } from '../../../parts/qr/qr-button';
import { type Channel, channelsQuery } from '../../../queries/project/channels';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Card, classNames, CopyButton } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import { CurrentBuild } from './current-build';
import styles from './overview.module.css';

/** The number of channels that are shown at first. The screen of the channels lists all. */
const SHOWN = 6;

type Latest = Pick<ProjectSummaryResponse, 'latest'>;

/** The builds that testers get now: channel by channel, platform by platform. */
export function CurrentBuilds({ latest }: Latest) {
  const words = useWords().project;
  const format = useFormat();
  const { scope, params } = useProjectPlace();
  const { data: channels, error, refetch } = useQuery(channelsQuery(scope));
  const shown = [...(channels ?? [])].sort((a, b) => b.current.length - a.current.length).slice(0, SHOWN);
  const hidden = (channels?.length ?? 0) - shown.length;
  return (
    <Card
      title={words.live}
      actions={
        <Link to="/o/$org/p/$project/channels" params={params}>
          {words.allChannels}
        </Link>
      }
    >
      {!channels && error && <LoadError error={error} onRetry={() => void refetch()} />}
      {channels?.length === 0 && <NoChannels />}
      {channels && channels.length > 0 && <Matrix channels={shown} latest={latest} />}
      {hidden > 0 && <p className="soft">{format.plural(hidden, words.moreChannels)}</p>}
    </Card>
  );
}

function NoChannels() {
  const words = useWords().project;
  const { organizationId, projectId } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('POST /channels');
  return (
    <p className="soft">
      {words.noChannels} {reason !== undefined && `${reason}.`}
    </p>
  );
}

function Matrix({ channels, latest }: Latest & { channels: readonly Channel[] }) {
  const used = new Set<Platform>([
    ...latest.map(({ platform }) => platform),
    ...channels.flatMap(({ current }) => current.map(({ platform }) => platform)),
  ]);
  return (
    <ul role="list" className={classNames(styles.matrix, used.size === 1 && styles.single)}>
      {channels.map((channel) => (
        <li key={channel.id}>
          <ChannelHead channel={channel} />
          {PLATFORMS.filter((platform) => used.has(platform)).map((platform) => (
            <CurrentBuild
              key={platform}
              channel={channel}
              platform={platform}
              newest={latest.find((one) => one.platform === platform)?.build}
            />
          ))}
        </li>
      ))}
    </ul>
  );
}

function ChannelHead({ channel: { id, name, subscribers, install_url: link } }: { channel: Channel }) {
  const words = useWords().project;
  const format = useFormat();
  const { params } = useProjectPlace();
  return (
    <div className={styles.channel}>
      <div>
        <Link to="/o/$org/p/$project/channels/$channel" params={{ ...params, channel: id }} className={styles.name}>
          {name}
        </Link>
        <div className="soft small">{format.plural(subscribers, words.subscribers)}</div>
      </div>
      {link !== null && (
        <div className={styles.acts}>
          <CopyButton iconOnly label={words.copyLinkOf(name)} value={link} />
          <QrButton
            label={words.showQr(name)}
            title={name}
            picture={words.qr(name)}
            link={link}
            copyLabel={words.copyLink}
          />
        </div>
      )}
    </div>
  );
}
