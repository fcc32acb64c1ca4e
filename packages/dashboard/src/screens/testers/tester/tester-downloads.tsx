import { type TesterDownloadResponse } from '@agate/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { itemsOf, ListCard } from '../../../parts/lists/list-screen';
import { versionOf } from '../../../queries/project/builds';
import { channelChoicesQuery } from '../../../queries/project/channel-choices';
import { type Tester, testerDownloadsQuery } from '../../../queries/project/testers';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Card, type Column, EmptyState, Table, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../testers.module.css';

/** The downloads through the links of a tester, the newest first. Only for members who manage testers. */
export function TesterDownloads({ tester }: { tester: Tester }) {
  const { tester: words, testers } = useWords();
  const { organizationId, projectId } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('GET /testers/{tester_id}/downloads');
  if (reason === undefined) return <Downloads tester={tester} />;
  return (
    <Card title={words.downloads}>
      <p className={styles.soft}>{testers.hidden(reason)}</p>
    </Card>
  );
}

function Downloads({ tester }: { tester: Tester }) {
  const words = useWords().tester;
  const { scope } = useProjectPlace();
  const list = useInfiniteQuery(testerDownloadsQuery(scope, tester.id));
  const columns = useColumns();
  const rows = itemsOf(list);
  return (
    <ListCard
      title={words.downloads}
      flush={rows.length > 0}
      list={list}
      count={rows.length}
      rows={4}
      forms={words.count}
      empty={
        <EmptyState compact level={3} title={words.noDownloads}>
          {words.noDownloadsText}
        </EmptyState>
      }
    >
      <Table brief label={words.downloads} columns={columns} rows={rows} rowKey={({ id }) => id} />
    </ListCard>
  );
}

function useColumns(): readonly Column<TesterDownloadResponse>[] {
  const { tester: words, build, builds } = useWords();
  const format = useFormat();
  const { scope, params } = useProjectPlace();
  const { data: channels } = useQuery(channelChoicesQuery(scope));
  return [
    {
      id: 'build',
      label: words.columns.build,
      rowHeader: true,
      cell: (download) => (
        <>
          <Link
            to="/o/$org/p/$project/builds/$build"
            params={{ ...params, build: download.build_id }}
            className={styles.name}
          >
            {versionOf(download)}
          </Link>{' '}
          <span className={styles.soft}>{builds.platforms[download.platform] ?? download.platform}</span>
        </>
      ),
    },
    {
      id: 'device',
      plain: true,
      label: words.columns.device,
      cell: ({ device_family }) => build.families[device_family] ?? device_family,
    },
    {
      id: 'channel',
      plain: true,
      label: words.columns.channel,
      cell: ({ channel_id }) => channels?.find(({ id }) => id === channel_id)?.name ?? words.noChannel,
    },
    { id: 'time', label: words.columns.time, plain: true, cell: ({ started_at }) => <Time value={started_at} /> },
    {
      id: 'sent',
      plain: true,
      label: words.columns.sent,
      align: 'end',
      cell: ({ served_bytes }) => (served_bytes === null ? '–' : format.bytes(served_bytes)),
    },
    {
      id: 'state',
      plain: true,
      label: words.columns.state,
      cell: ({ completed_at }) => (completed_at === null ? words.incomplete : words.complete),
    },
  ];
}
