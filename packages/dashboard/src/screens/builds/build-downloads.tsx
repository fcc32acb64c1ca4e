import { ApiError, type BuildDownloadResponse } from '@agate/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { DeferredMissingBuild } from '../../frame/deferred-missing-build';
import { useTitle } from '../../frame/use-title';
import { itemsOf, ListScreen } from '../../parts/lists/list-screen';
import { projectQuery } from '../../queries/organization/projects';
import { buildQuery, versionOf } from '../../queries/project/builds';
import { buildDownloadsQuery } from '../../queries/project/downloads';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, buttonClass, Card, type Column, EmptyState, PageHeader, Stack, Table, Time } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

/** The downloads of a build: tester, time and device. */
export function BuildDownloads() {
  const words = useWords().build.downloadLog;
  const { scope, params } = useProjectPlace();
  const { build: buildId } = useParams({ from: '/member/o/$org/p/$project/builds/$build/downloads' });
  const { data: build, error } = useQuery(buildQuery(scope, buildId));
  const { data: project } = useQuery(projectQuery(scope));
  useTitle(words.heading, build && versionOf(build), project?.name);
  if (error instanceof ApiError && (error.status === 404 || error.status === 400))
    return <DeferredMissingBuild buildId={buildId} />;
  return (
    <Stack gap={16}>
      <PageHeader
        title={words.heading}
        above={
          build && (
            <Link to="/o/$org/p/$project/builds/$build" params={{ ...params, build: build.id }}>
              {versionOf(build)}
            </Link>
          )
        }
        actions={<Export buildId={buildId} />}
      />
      <DownloadList buildId={buildId} />
    </Stack>
  );
}

function Export({ buildId }: { buildId: string }) {
  const words = useWords().build.downloadLog;
  const { scope, organizationId, projectId } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('GET /builds/{build_id}/downloads.csv');
  if (reason !== undefined) return <Button disabledReason={reason}>{words.csv}</Button>;
  return (
    <a
      className={buttonClass()}
      href={`/api/v1/builds/${buildId}/downloads.csv?${new URLSearchParams({ ...scope })}`}
      download
    >
      {words.csv}
    </a>
  );
}

function DownloadList({ buildId }: { buildId: string }) {
  const words = useWords().build.downloadLog;
  const { scope, organizationId, projectId } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('GET /builds/{build_id}/downloads');
  const list = useInfiniteQuery({ ...buildDownloadsQuery(scope, buildId), enabled: reason === undefined });
  const columns = useColumns();
  if (reason !== undefined)
    return (
      <EmptyState title={words.refused} icon="lock">
        {reason}
      </EmptyState>
    );
  const downloads = itemsOf(list);
  return (
    <ListScreen
      list={list}
      count={downloads.length}
      rows={8}
      forms={words.count}
      empty={<EmptyState title={words.empty}>{words.emptyText}</EmptyState>}
    >
      <Card title={words.list} hideTitle flush>
        <Table brief label={words.heading} columns={columns} rows={downloads} rowKey={({ id }) => id} />
      </Card>
    </ListScreen>
  );
}

function useColumns(): readonly Column<BuildDownloadResponse>[] {
  const { downloadLog: words, families } = useWords().build;
  const format = useFormat();
  const { params } = useProjectPlace();
  return [
    { id: 'time', label: words.columns.time, plain: true, cell: ({ started_at }) => <Time value={started_at} /> },
    {
      id: 'tester',
      plain: true,
      label: words.columns.tester,
      cell: ({ tester, minted_by }) => {
        if (tester)
          return (
            <Link to="/o/$org/p/$project/testers/$tester" params={{ ...params, tester: tester.id }}>
              {tester.name ?? tester.email}
            </Link>
          );
        return minted_by.label ? words.member(minted_by.label) : words.anonymous;
      },
    },
    {
      id: 'device',
      plain: true,
      label: words.columns.device,
      cell: ({ device_family }) => families[device_family] ?? device_family,
    },
    {
      id: 'bytes',
      plain: true,
      label: words.columns.bytes,
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
