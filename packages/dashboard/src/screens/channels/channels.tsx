import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { LoadError } from '../../parts/lists/load-error';
import { useTitle } from '../../frame/use-title';
import { type Channel, channelsQuery } from '../../queries/project/channels';
import { projectQuery } from '../../queries/organization/projects';
import { useMay } from '../../session/use-may';
import { usePlanHas } from '../../session/use-plan-has';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, EmptyState, LoadMore, PageHeader, Skeleton, Stack } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { ChannelCard } from './channel-card';
import styles from './channels.module.css';
import { NewChannelDialog } from './new-channel-dialog';
import { PlanNeeded } from './plan-needed';

/** The channels of a project, with their current builds and links. */
export function Channels() {
  const words = useWords().channels;
  const { scope } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  const { data: channels, error, refetch } = useQuery(channelsQuery(scope));
  useTitle(words.heading, project?.name);
  const isEmpty = channels === undefined || channels.length === 0;
  return (
    <Stack>
      <PageHeader title={words.heading} actions={!isEmpty && <NewChannel />} />
      {!channels && !error && <Skeleton shape="cards" count={3} />}
      {error && !channels && <LoadError error={error} onRetry={() => void refetch()} />}
      {channels && (isEmpty ? <NoChannels /> : <Cards channels={channels} />)}
    </Stack>
  );
}

/** Explains channels and, on a plan without them, how to get them. */
function NoChannels() {
  const words = useWords().channels;
  const { organizationId } = useProjectPlace();
  const hasChannels = usePlanHas(organizationId, 'channels');
  if (hasChannels === undefined) return <Skeleton />;
  if (!hasChannels) return <PlanNeeded />;
  return (
    <EmptyState title={words.empty} actions={<NewChannel />}>
      {words.what}
    </EmptyState>
  );
}

function Cards({ channels }: { channels: readonly Channel[] }) {
  const words = useWords().channels;
  const format = useFormat();
  return (
    <>
      <ul role="list" aria-label={words.heading} className={styles.cards}>
        {channels.map((channel) => (
          <ChannelCard key={channel.id} channel={channel} />
        ))}
      </ul>
      <LoadMore status={format.plural(channels.length, words.count)} />
    </>
  );
}

/** The button that opens the dialog. The address stores that it is open. */
function NewChannel() {
  const words = useWords().channels;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const { create } = useSearch({ from: '/member/o/$org/p/$project/channels' });
  const navigate = useNavigate({ from: '/o/$org/p/$project/channels' });
  const reason = may('POST /channels');
  return (
    <>
      <Button
        variant="primary"
        icon="plus"
        disabledReason={reason}
        onClick={() => void navigate({ search: { create: '1' } })}
      >
        {words.newChannel}
      </Button>
      {create !== undefined && reason === undefined && (
        <NewChannelDialog onClose={() => void navigate({ search: {}, replace: true })} />
      )}
    </>
  );
}
