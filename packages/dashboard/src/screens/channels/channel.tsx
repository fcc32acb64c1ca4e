import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Found } from '../../frame/found';
import { useTitle } from '../../frame/use-title';
import { ChannelTabs } from '../../parts/link-tabs';
import { UpdateKeys } from '../../parts/updates/update-keys';
import { projectQuery } from '../../queries/organization/projects';
import { type Channel as ChannelData, channelQuery } from '../../queries/project/channels';
import { useProjectPlace } from '../../session/use-project-place';
import { Card, Columns, PageHeader, Skeleton, Stack } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { ChannelHistory } from './channel/channel-history';
import { ChannelLink } from './channel/channel-link';
import { ChannelMenu } from './channel/channel-menu';
import { ChannelSubscribers } from './channel/channel-subscribers';
import { CurrentReleases } from './channel/current-releases';
import { PromoteBuild } from './channel/promote-build';

/** One channel: its current builds, its history, its link and its subscribers. */
export function Channel() {
  const { scope } = useProjectPlace();
  const { channel: channelId } = useParams({ from: '/member/o/$org/p/$project/channels/$channel' });
  const query = useQuery(channelQuery(scope, channelId));
  return (
    <Found query={query} waiting={<Skeleton shape="cards" count={4} />}>
      {(channel) => <ChannelScreen channel={channel} />}
    </Found>
  );
}

function ChannelScreen({ channel }: { channel: ChannelData }) {
  const { channels: words, frame, updates } = useWords();
  const format = useFormat();
  const { scope, params } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  useTitle(channel.name, project?.name);
  return (
    <Stack>
      <PageHeader
        title={channel.name}
        above={
          <Link to="/o/$org/p/$project/channels" params={params}>
            {frame.channels}
          </Link>
        }
        detail={format.plural(channel.subscribers, words.subscribers)}
        actions={
          <>
            <PromoteBuild channel={channel} />
            <ChannelMenu channel={channel} />
          </>
        }
      />
      <ChannelTabs channelId={channel.id} />
      <Columns shape="aside">
        <Stack>
          <CurrentReleases channel={channel} />
          <ChannelHistory channel={channel} />
        </Stack>
        <Stack>
          <ChannelLink channel={channel} />
          <ChannelSubscribers channel={channel} />
          <Card title={updates.heading}>
            <Stack gap={8}>
              <p className="soft">{updates.ofChannel}</p>
              <UpdateKeys channelId={channel.id} />
            </Stack>
          </Card>
        </Stack>
      </Columns>
    </Stack>
  );
}
