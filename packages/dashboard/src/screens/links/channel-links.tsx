import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Found } from '../../frame/found';
import { useTitle } from '../../frame/use-title';
import { ChannelTabs } from '../../parts/link-tabs';
import { projectQuery } from '../../queries/organization/projects';
import { type Channel, channelQuery } from '../../queries/project/channels';
import { useProjectPlace } from '../../session/use-project-place';
import { PageHeader, Skeleton, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import { Links, NewLinkButton } from './links';

/** The links of a channel. */
export function ChannelLinks() {
  const { scope } = useProjectPlace();
  const { channel: id } = useParams({ from: '/member/o/$org/p/$project/channels/$channel/links' });
  const query = useQuery(channelQuery(scope, id));
  return (
    <Found query={query} waiting={<Skeleton shape="rows" count={3} />}>
      {(channel) => <Screen channel={channel} />}
    </Found>
  );
}

function Screen({ channel: { id, name } }: { readonly channel: Channel }) {
  const { links: words, frame } = useWords();
  const { scope, params } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  useTitle(words.heading(name), project?.name);
  return (
    <Stack gap={16}>
      <PageHeader
        title={name}
        above={
          <Link to="/o/$org/p/$project/channels" params={params}>
            {frame.channels}
          </Link>
        }
        detail={words.detail}
        actions={<NewLinkButton />}
      />
      <ChannelTabs channelId={id} />
      <Links target={{ kind: 'channel', id }} />
    </Stack>
  );
}
