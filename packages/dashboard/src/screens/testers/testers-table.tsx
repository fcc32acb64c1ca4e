import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { channelChoicesQuery } from '../../queries/project/channel-choices';
import { subscriptionOf, type Tester } from '../../queries/project/testers';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Avatar, Card, Chip, classNames, type Column, Identity, Lines, Table, Time } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { useFilters } from './filters/use-filters';
import { TesterMenu } from './tester/tester-menu';
import { TesterStateText } from './tester/tester-state';
import { useSubscription } from './tester/use-subscription';
import styles from './testers.module.css';

interface TestersTableProps {
  readonly testers: readonly Tester[];
  readonly stale: boolean;
  /** Undefined when rows cannot be selected. */
  readonly selected: ReadonlySet<string> | undefined;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

/** Testers, newest first: their state, their channels, and the actions on each. */
export function TestersTable({ testers, stale, selected, onSelect }: TestersTableProps) {
  const words = useWords().testers;
  return (
    <Card title={words.heading} hideTitle flush className={styles.list}>
      <Table
        label={words.heading}
        columns={useColumns()}
        rows={testers}
        rowKey={({ id }) => id}
        stale={stale}
        selection={
          selected && {
            selected,
            onSelect,
            rowLabel: ({ email }) => words.adoption.select(email),
            allLabel: words.adoption.selectAll,
          }
        }
      />
    </Card>
  );
}

/** With more channels, a row names those of the tester. They are changed on the tester's own screen, or of several testers together. */
const MAX_TOGGLES = 4;

function useColumns(): readonly Column<Tester>[] {
  const { columns, never } = useWords().testers;
  const { platforms } = useWords().builds;
  const toggles = useToggles();
  // What testers did, which some roles do not see.
  const isHidden = useFilters().hiddenReason !== undefined;
  const hasNoChannels = toggles.channels?.length === 0;
  const shown: readonly Column<Tester>[] = [
    { id: 'tester', label: columns.tester, cell: (tester) => <TesterName tester={tester} /> },
    {
      id: 'state',
      label: columns.state,
      cell: (tester) =>
        (tester.state !== null || tester.declined) && (
          <div className={styles.state}>
            <TesterStateText tester={tester} />
          </div>
        ),
    },
    {
      id: 'last-download',
      label: columns.lastDownload,
      cell: ({ last_download }) => {
        if (last_download === null) return <span className={classNames(styles.soft, styles.none)}>{never}</span>;
        const { at, platform } = last_download;
        return (
          <span>
            <Time value={at} /> <span className={styles.soft}>{platforms[platform] ?? platform}</span>
          </span>
        );
      },
    },
    {
      id: 'channels',
      label: columns.channels,
      cell: (tester) =>
        (toggles.channels?.length ?? 0) > MAX_TOGGLES ? (
          <SubscribedTo tester={tester} channels={toggles.channels} />
        ) : (
          <Toggles tester={tester} {...toggles} />
        ),
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
  return shown.filter(({ id }) => !(hasNoChannels && id === 'channels') && !(isHidden && id === 'last-download'));
}

function TesterName({ tester: { id, name, email } }: { tester: Tester }) {
  const { params } = useProjectPlace();
  return (
    <Identity className={styles.identity}>
      <Avatar name={name ?? email} size={32} />
      <Lines>
        <Link
          to="/o/$org/p/$project/testers/$tester"
          params={{ ...params, tester: id }}
          className={styles.name}
          title={name ?? email}
        >
          {name ?? email}
        </Link>
        {name !== null && (
          <span className={styles.email} title={email}>
            {email}
          </span>
        )}
      </Lines>
    </Identity>
  );
}

/** The channels of a tester, each of which can be changed. */
export function TesterChannels({ tester }: { tester: Tester }) {
  return <Toggles tester={tester} {...useToggles()} />;
}

/** The channels and how to change a subscription: the same for all rows of a list. */
function useToggles() {
  const { scope, organizationId, projectId } = useProjectPlace();
  const { data: channels } = useQuery(channelChoicesQuery(scope));
  const reason = useMay({ organizationId, projectId })('PUT /testers/{tester_id}/subscriptions/{channel_id}');
  return { channels, reason, change: useSubscription() };
}

function SubscribedTo({ tester, channels = [] }: Pick<TogglesProps, 'tester' | 'channels'>) {
  const words = useWords().testers;
  const format = useFormat();
  if (tester.declined) return <span className={styles.reason}>{words.leftReason}</span>;
  const names = channels.filter((one) => subscriptionOf(tester, one) === 'subscribed').map(({ name }) => name);
  if (names.length === 0) return <span className={styles.soft}>–</span>;
  return (
    <span className={styles.channels} title={format.list(names)}>
      {names.join(', ')}
    </span>
  );
}

interface TogglesProps extends ReturnType<typeof useToggles> {
  readonly tester: Tester;
}

function Toggles({ tester, channels, reason, change }: TogglesProps) {
  const words = useWords().testers;
  if (channels?.length === 0) return <span className={styles.soft}>{words.noChannels}</span>;
  return (
    <Lines>
      <div className={styles.toggles}>
        {channels?.map((channel) => {
          const state = subscriptionOf(tester, channel);
          return (
            <Chip
              key={channel.id}
              label={channel.name}
              aria-label={words.subscription(channel.name, tester.email)}
              checked={state === 'subscribed'}
              disabledReason={reason ?? (state === 'left' ? words.leftReason : undefined)}
              onChange={(event) => change({ tester, channel, on: event.target.checked })}
            />
          );
        })}
      </div>
      {tester.declined && <span className={styles.reason}>{words.leftReason}</span>}
    </Lines>
  );
}
