import { type ProjectSummaryResponse } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { projectSummaryQuery } from '../../../queries/organization/projects';
import { type Build, versionOf } from '../../../queries/project/builds';
import { useProjectPlace } from '../../../session/use-project-place';
import { Badge, Skeleton, Time } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

/** All channels of the project, each with whether testers get this build there, or which other build. */
export function BuildChannels({ build }: { build: Build }) {
  const words = useWords().build;
  const { params, scope } = useProjectPlace();
  const { data: summary, error } = useQuery(projectSummaryQuery(scope));
  // Without the channels of the project, only the build's own channels are known.
  const channels = summary?.channels ?? (error ? build.channels : undefined);
  return (
    <section aria-label={words.channels} className={styles.part}>
      <h3>{words.channels}</h3>
      {channels === undefined && <Skeleton count={2} />}
      {channels?.length === 0 && (
        <p className={styles.soft}>
          {words.noChannels}{' '}
          <Link to="/o/$org/p/$project/channels" params={params}>
            {words.openChannels}
          </Link>
        </p>
      )}
      {channels && channels.length > 0 && (
        <ul className={styles.channels}>
          {currentFirst(channels, build).map((channel) => (
            <li key={channel.id}>
              <Link to="/o/$org/p/$project/channels/$channel" params={{ ...params, channel: channel.id }}>
                {channel.name}
              </Link>
              <State build={build} channel={channel} current={summary?.current ?? []} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Channel = ProjectSummaryResponse['channels'][number];

const isCurrent = (build: Build, channel: Channel): boolean =>
  build.channels.some(({ id, current }) => id === channel.id && current);

const currentFirst = (channels: readonly Channel[], build: Build): readonly Channel[] =>
  [...channels].sort((a, b) => Number(isCurrent(build, b)) - Number(isCurrent(build, a)));

interface StateProps {
  readonly build: Build;
  readonly channel: Channel;
  readonly current: ProjectSummaryResponse['current'];
}

function State({ build, channel, current }: StateProps) {
  const words = useWords();
  const { params } = useProjectPlace();
  const other = current.find((one) => one.channel_id === channel.id && one.platform === build.platform);
  if (isCurrent(build, channel)) {
    return (
      <span className={styles.channelState}>
        <Badge tone="success" dot="filled">
          {words.builds.current}
        </Badge>
        {other?.build_id === build.id && <Time value={other.promoted_at} />}
      </span>
    );
  }
  const was = build.channels.some(({ id }) => id === channel.id);
  return (
    <span className={styles.channelState}>
      {was && <Badge dot="hollow">{words.build.was}</Badge>}
      {other ? (
        <Link to="/o/$org/p/$project/builds/$build" params={{ ...params, build: other.build_id }}>
          {versionOf(other)}
        </Link>
      ) : (
        !was && <span>{words.build.emptyChannel}</span>
      )}
    </span>
  );
}
