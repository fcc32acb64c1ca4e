import { type Platform } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTitle } from '../../frame/use-title';
import { uploadingCurl } from '../../parts/ci/curl';
import { itemsOf, ListScreen } from '../../parts/lists/list-screen';
import { projectQuery } from '../../queries/organization/projects';
import { type Build, type BuildFilters, useBuilds } from '../../queries/project/builds';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, buttonClass, Card, CodeBlock, EmptyState, PageHeader, SelectionBar, Stack } from '../../ui';
import { UploadButton, UploadDropZone } from '../../uploads';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './builds.module.css';
import { BuildsMenu } from './builds-menu';
import { BuildsTable } from './builds-table';
import { DeleteBuilds, type KeptBuild, KeptBuilds } from './delete-builds';
import { BuildFiltersBar } from './filters';
import { PinBuilds } from './pin-builds';

const NO_SELECTION: ReadonlySet<string> = new Set();

/** The filters of the address, as the API names them. */
function useFilters(): BuildFilters {
  const search = useSearch({ from: '/member/o/$org/p/$project/builds' });
  const { channel, platform, installable, warnings, delete: _, ...texts } = search;
  return {
    ...texts,
    platform: platform as Platform | undefined,
    channel_id: channel,
    installable: installable === undefined ? undefined : String(installable) === 'true',
    has_warnings: warnings === undefined ? undefined : String(warnings) === 'true',
  };
}

/** The builds of a project: search and filters in the address, selection for comparing, pinning and deleting. */
export function Builds() {
  const words = useWords().builds;
  const { scope } = useProjectPlace();
  const filters = useFilters();
  const { data: project } = useQuery(projectQuery(scope));
  useTitle(words.heading, project?.name);
  return (
    <Stack>
      <PageHeader
        title={words.heading}
        actions={
          <>
            <UploadButton />
            <BuildsMenu filters={filters} />
          </>
        }
      />
      <FilteredBuilds filters={filters} />
    </Stack>
  );
}

function FilteredBuilds({ filters }: { filters: BuildFilters }) {
  const words = useWords().builds;
  const { scope } = useProjectPlace();
  const list = useBuilds(scope, filters);
  const { data } = list;
  const builds = useMemo(() => itemsOf({ data }), [data]);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const isEmpty = list.isSuccess && builds.length === 0 && !list.hasNextPage;
  return (
    <>
      {(isFiltered || !isEmpty) && <BuildFiltersBar isFiltered={isFiltered} />}
      <ListScreen
        list={list}
        count={builds.length}
        rows={8}
        forms={words.count}
        empty={isEmpty && <NoBuilds isFiltered={isFiltered} />}
      >
        <BuildsList builds={builds} stale={list.isPlaceholderData} />
      </ListScreen>
    </>
  );
}

function BuildsList({ builds, stale }: { builds: readonly Build[]; stale: boolean }) {
  const words = useWords().builds;
  const format = useFormat();
  const [selected, setSelected] = useState(NO_SELECTION);
  const [kept, setKept] = useState<readonly KeptBuild[]>([]);
  const chosen = builds.filter(({ id }) => selected.has(id));
  return (
    <>
      <KeptBuilds kept={kept} onDismiss={() => setKept([])} />
      <Card title={words.list} hideTitle flush className={styles.list}>
        <BuildsTable builds={builds} selected={selected} onSelect={setSelected} stale={stale} />
      </Card>
      {chosen.length > 0 && (
        <SelectionBar
          label={words.selection}
          text={words.selected(format.number(chosen.length))}
          clearLabel={words.clearSelection}
          onClear={() => setSelected(NO_SELECTION)}
        >
          <PinBuilds builds={chosen} onDone={() => setSelected(NO_SELECTION)} />
          <DeleteBuilds
            builds={chosen}
            onDone={(stay) => {
              setSelected(NO_SELECTION);
              setKept(stay);
            }}
          />
          <CompareLink builds={chosen} className={buttonClass()} />
        </SelectionBar>
      )}
    </>
  );
}

/** Leads to the comparison of two selected builds, from the older to the newer. */
function CompareLink({ builds, className }: { builds: readonly Build[]; className: string }) {
  const words = useWords().builds;
  const { params } = useProjectPlace();
  const [from, to] = [...builds].sort((a, b) => a.uploaded_at.localeCompare(b.uploaded_at));
  if (!from || !to || builds.length > 2) return <Button disabledReason={words.compareReason}>{words.compare}</Button>;
  return (
    <Link to="/o/$org/p/$project/compare" params={params} search={{ from: from.id, to: to.id }} className={className}>
      {words.compare}
    </Link>
  );
}

/** The text of a list without rows: how to upload builds, or that no build matches the filters. */
function NoBuilds({ isFiltered }: { isFiltered: boolean }) {
  const { empty, nothing } = useWords().builds;
  const { scope, params } = useProjectPlace();
  if (isFiltered)
    return (
      <EmptyState title={nothing.heading} icon="search">
        {nothing.text}
      </EmptyState>
    );
  return (
    <Stack gap={16}>
      <EmptyState title={empty.heading}>{empty.text}</EmptyState>
      <UploadDropZone />
      <Card
        title={empty.ci}
        actions={
          <Link to="/o/$org/p/$project/tokens" params={params}>
            {empty.token}
          </Link>
        }
      >
        <CodeBlock label={empty.shell} text={uploadingCurl(scope)} copyLabel={empty.copy} />
      </Card>
    </Stack>
  );
}
