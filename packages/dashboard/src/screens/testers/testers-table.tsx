import { type ChannelOfProjectResponse } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { channelChoicesQuery } from '../../queries/project/channel-choices';
import { subscriptionOf, type Tester } from '../../queries/project/testers';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Avatar, Checkbox, type Column, Identity, Lines, Table, Time } from '../../ui';
import { useWords } from '../../words/words-provider';
import { TesterMenu } from './tester/tester-menu';
import { TesterStateText } from './tester/tester-state';
import { useSubscription } from './tester/use-subscription';
import styles from './testers.module.css';

/** Testers, newest first: their channels, their state, and the actions on each. */
export function TestersTable({ testers, stale }: { testers: readonly Tester[]; stale: boolean }) {
  const words = useWords().testers;
  return <Table label={words.heading} columns={useColumns()} rows={testers} rowKey={({ id }) => id} stale={stale} />;
}

function useColumns(): readonly Column<Tester>[] {
  const { columns, never } = useWords().testers;
  const { platforms } = useWords().builds;
  return [
    { id: 'tester', label: columns.tester, cell: (tester) => <TesterName tester={tester} /> },
    { id: 'channels', label: columns.channels, cell: (tester) => <TesterChannels tester={tester} /> },
    {
      id: 'state',
      label: columns.state,
      cell: (tester) => (
        <div>
          <TesterStateText tester={tester} />
        </div>
      ),
    },
    {
      id: 'last-download',
      label: columns.lastDownload,
      cell: ({ last_download, state }) => {
        if (last_download === null) return <span className={styles.soft}>{state === null ? '–' : never}</span>;
        const { at, platform } = last_download;
        return (
          <span>
            <Time value={at} /> <span className={styles.soft}>{platforms[platform] ?? platform}</span>
          </span>
        );
      },
    },
    {
      id: 'actions',
      label: columns.actions,
      hideLabel: true,
      align: 'end',
      width: 'narrow',
      cell: (tester) => (
        <div className={styles.menu}>
          <TesterMenu tester={tester} />
        </div>
      ),
    },
  ];
}

function TesterName({ tester: { id, name, email } }: { tester: Tester }) {
  const { params } = useProjectPlace();
  return (
    <Identity className={styles.identity}>
      <Avatar name={name ?? email} size={32} />
      <Lines>
        <Link to="/o/$org/p/$project/testers/$tester" params={{ ...params, tester: id }} className={styles.name}>
          {name ?? email}
        </Link>
        {name !== null && <span className={styles.soft}>{email}</span>}
      </Lines>
    </Identity>
  );
}

/** The channels as toggles. */
export function TesterChannels({ tester }: { tester: Tester }) {
  const words = useWords().testers;
  const { scope } = useProjectPlace();
  const { data: channels } = useQuery(channelChoicesQuery(scope));
  if (channels?.length === 0) return <span className={styles.soft}>{words.noChannels}</span>;
  return (
    <Lines>
      <div className={styles.toggles}>
        {channels?.map((channel) => (
          <Subscription key={channel.id} tester={tester} channel={channel} />
        ))}
      </div>
      {tester.declined && <span className={styles.soft}>{words.leftReason}</span>}
    </Lines>
  );
}

function Subscription({ tester, channel }: { tester: Tester; channel: ChannelOfProjectResponse }) {
  const words = useWords().testers;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const change = useSubscription();
  const state = subscriptionOf(tester, channel);
  const reason = may('PUT /testers/{tester_id}/subscriptions/{channel_id}');
  return (
    <Checkbox
      label={channel.name}
      aria-label={words.subscription(channel.name, tester.email)}
      checked={state === 'subscribed'}
      disabledReason={reason ?? (state === 'left' ? words.leftReason : undefined)}
      onChange={(event) => change({ tester, channel, on: event.target.checked })}
    />
  );
}
