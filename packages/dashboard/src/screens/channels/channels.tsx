import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { LoadError } from '../../parts/lists/load-error';
import { useDialog } from '../../parts/use-dialog';
import { useChanged } from '../../queries/changes';
import { planChangersQuery } from '../../queries/organization/members';
import { projectQuery } from '../../queries/organization/projects';
import { type Channel, channelsQuery, createChannel } from '../../queries/project/channels';
import { useMay } from '../../session/use-may';
import { usePlanHas } from '../../session/use-plan-has';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, buttonClass, EmptyState, LoadMore, PageHeader, Skeleton, Stack, useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { ChannelCard } from './channel-card';
import { ChannelNameDialog } from './channel-name-dialog';
import styles from './channels.module.css';

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

function NewChannel() {
  const words = useWords().channels;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const dialog = useDialog('create');
  const reason = may('POST /channels');
  return (
    <>
      <Button variant="primary" icon="plus" disabledReason={reason} onClick={() => dialog.open('1')}>
        {words.newChannel}
      </Button>
      {dialog.value !== undefined && reason === undefined && <NewChannelDialog onClose={dialog.close} />}
    </>
  );
}

/** Asks for the name of a new channel. */
function NewChannelDialog({ onClose }: { onClose: () => void }) {
  const words = useWords().channels;
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  const creation = useMutation({
    mutationFn: (name: string) => createChannel(scope, name),
    onSuccess: async ({ name }) => {
      await changed({ type: 'channel.created' });
      toast(words.created(name), { tone: 'success' });
      onClose();
    },
  });
  return (
    <ChannelNameDialog title={words.newChannel} submitLabel={words.createChannel} saving={creation} onClose={onClose} />
  );
}

/** Explains channels, and how an organization on a plan without them gets them. */
function PlanNeeded() {
  const { what, plan: words } = useWords().channels;
  const format = useFormat();
  const { organizationId, projectId, params } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const reason = may('POST /organizations/{organization_id}/plan');
  const { data: names = [] } = useQuery({ ...planChangersQuery(organizationId), enabled: reason !== undefined });
  return (
    <EmptyState
      title={words.heading}
      icon="lock"
      actions={
        reason === undefined ? (
          <Link
            to="/o/$org/billing"
            params={{ org: params.org }}
            search={{ act: 'plan' }}
            className={buttonClass('primary')}
          >
            {words.change}
          </Link>
        ) : (
          <Button disabledReason={reason}>{words.change}</Button>
        )
      }
    >
      <p>{what}</p>
      <p>{words.text}</p>
      {reason !== undefined && <p>{names.length > 0 ? words.ask(format.list(names)) : words.askWithout}</p>}
    </EmptyState>
  );
}
