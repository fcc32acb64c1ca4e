import { Link } from '@tanstack/react-router';
import { useProjectPlace } from '../session/use-project-place';
import { Tabs } from '../ui';
import { useWords } from '../words/words-provider';

/** Links to the two parts of a build: what it is, and its links. */
export function BuildTabs({ buildId }: { readonly buildId: string }) {
  const { tabs } = useWords().builds;
  const { params } = useProjectPlace();
  const of = { ...params, build: buildId };
  return (
    <Tabs label={tabs.label}>
      <Link to="/o/$org/p/$project/builds/$build" params={of} activeOptions={{ exact: true, includeSearch: false }}>
        {tabs.build}
      </Link>
      <Link to="/o/$org/p/$project/builds/$build/links" params={of} activeOptions={{ includeSearch: false }}>
        {tabs.links}
      </Link>
    </Tabs>
  );
}

/** Links to the two parts of a channel. */
export function ChannelTabs({ channelId }: { readonly channelId: string }) {
  const { tabs } = useWords().builds;
  const { params } = useProjectPlace();
  const of = { ...params, channel: channelId };
  return (
    <Tabs label={tabs.label}>
      <Link to="/o/$org/p/$project/channels/$channel" params={of} activeOptions={{ exact: true, includeSearch: false }}>
        {tabs.channel}
      </Link>
      <Link to="/o/$org/p/$project/channels/$channel/links" params={of} activeOptions={{ includeSearch: false }}>
        {tabs.links}
      </Link>
    </Tabs>
  );
}
