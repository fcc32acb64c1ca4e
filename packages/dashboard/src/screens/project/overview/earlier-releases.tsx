import { type ReleaseResponse } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LoadError } from '../../../parts/lists/load-error';
import { versionOf } from '../../../queries/project/builds';
import { channelsQuery } from '../../../queries/project/channels';
import { RECENT_RELEASES, recentReleasesQuery } from '../../../queries/project/project-releases';
import { useProjectPlace } from '../../../session/use-project-place';
import { Card, Skeleton, Time, Timeline, type TimelineItem } from '../../../ui';
import { useWords } from '../../../words/words-provider';

const SHOWN = 6;

/** The latest releases that another one replaced, in all channels. Those that are current stand above, channel by channel. */
export function EarlierReleases() {
  const words = useWords().project;
  const { scope } = useProjectPlace();
  const { data, error, refetch } = useQuery(recentReleasesQuery(scope, RECENT_RELEASES));
  const releases = data?.filter(({ current }) => !current).slice(0, SHOWN);
  const toItem = useToItem();
  return (
    <Card title={words.releases}>
      {!releases && !error && <Skeleton count={4} />}
      {!releases && error && <LoadError error={error} onRetry={() => void refetch()} />}
      {releases?.length === 0 && <p className="soft">{words.noReleases}</p>}
      {releases && releases.length > 0 && <Timeline label={words.releases} items={releases.map(toItem)} />}
    </Card>
  );
}

function useToItem(): (release: ReleaseResponse) => TimelineItem {
  const words = useWords();
  const { scope, params } = useProjectPlace();
  const { data: channels = [] } = useQuery(channelsQuery(scope));
  return ({ id, build, channel_id, promoted_at, promoted_by, platform }) => {
    const channel = channels.find((one) => one.id === channel_id);
    const title = (
      <>
        <Link to="/o/$org/p/$project/builds/$build" params={{ ...params, build: build.id }}>
          {versionOf(build)}
        </Link>{' '}
        <span className="soft">{words.builds.platforms[platform] ?? platform}</span> {words.project.releasedTo}{' '}
        {channel && (
          <Link to="/o/$org/p/$project/channels/$channel" params={{ ...params, channel: channel.id }}>
            {channel.name}
          </Link>
        )}
      </>
    );
    const meta = (
      <>
        <Time value={promoted_at} /> {promoted_by.label !== null && words.project.by(promoted_by.label)}
      </>
    );
    return { id, title, meta };
  };
}
