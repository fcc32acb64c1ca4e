import { type Platform } from '@agate/client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { LoadError } from '../../frame/load-error';
import { useTitle } from '../../frame/use-title';
import { type Build, buildFacetsQuery, buildsQuery } from '../../queries/builds';
import { projectQuery } from '../../queries/projects';
import { useProjectPlace } from '../../session/use-project-place';
import {
  Button,
  buttonClass,
  EmptyState,
  LoadMore,
  PageHeader,
  SearchField,
  Select,
  SelectionBar,
  Skeleton,
  Stack,
  Toolbar,
} from '../../ui';
import { UploadButton, UploadDropZone } from '../../uploads';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { BuildsTable } from './builds-table';
import { CompareLink } from './compare-link';
import { DeleteBuilds } from './delete-builds';

const NO_SELECTION: ReadonlySet<string> = new Set();

/** The builds of a project: search and filters in the address, selection for comparing and deleting. */
export function Builds() {
  const words = useWords().builds;
  const { scope } = useProjectPlace();
  const { q, platform, version, branch } = useSearch({ from: '/member/o/$org/p/$project/builds' });
  const { data: project } = useQuery(projectQuery(scope));
  useTitle(words.heading, project?.name);
  const list = useInfiniteQuery({
    ...buildsQuery(scope, { q, platform: platform as Platform | undefined, version, branch }),
    placeholderData: keepPreviousData,
  });
  const builds = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = [q, platform, version, branch].some(Boolean);

  return (
    <Stack>
      <PageHeader title={words.heading} actions={<UploadButton />} />
      <Filters isFiltered={isFiltered} />
      {list.isPending && <Skeleton shape="rows" count={8} />}
      {list.error && !list.data && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && builds.length === 0 && <NoBuilds isFiltered={isFiltered} />}
      {builds.length > 0 && <BuildsList builds={builds} stale={list.isPlaceholderData} />}
      {list.data && (
        <Foot
          count={builds.length}
          busy={list.isFetchingNextPage}
          onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
        />
      )}
    </Stack>
  );
}

function Filters({ isFiltered }: { isFiltered: boolean }) {
  const words = useWords().builds;
  const { scope } = useProjectPlace();
  const { q = '', platform = '', branch = '' } = useSearch({ from: '/member/o/$org/p/$project/builds' });
  const navigate = useNavigate({ from: '/o/$org/p/$project/builds' });
  const { data: facets } = useQuery(buildFacetsQuery(scope));
  const filter = (changes: { q?: string; platform?: string; branch?: string }): void =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: changes.q !== undefined });
  const options = (all: string, values: readonly { value: string }[], labels: Record<string, string> = {}) => [
    { value: '', label: all },
    ...values.map(({ value }) => ({ value, label: labels[value] ?? value })),
  ];
  return (
    <Toolbar role="search">
      <SearchField label={words.search} shortcut="/" value={q} onValue={(text) => filter({ q: text || undefined })} />
      <Select
        label={words.platform}
        hideLabel
        value={platform}
        onChange={(event) => filter({ platform: event.target.value || undefined })}
        options={options(words.allPlatforms, facets?.platforms ?? [], words.platforms)}
      />
      <Select
        label={words.branch}
        hideLabel
        value={branch}
        onChange={(event) => filter({ branch: event.target.value || undefined })}
        options={options(words.allBranches, facets?.branches ?? [])}
      />
      {isFiltered && <ClearFilters />}
    </Toolbar>
  );
}

function ClearFilters() {
  const navigate = useNavigate({ from: '/o/$org/p/$project/builds' });
  return <Button onClick={() => void navigate({ search: {} })}>{useWords().builds.clearFilters}</Button>;
}

function NoBuilds({ isFiltered }: { isFiltered: boolean }) {
  const { empty, nothing } = useWords().builds;
  return isFiltered ? (
    <EmptyState title={nothing.heading}>{nothing.text}</EmptyState>
  ) : (
    <EmptyState title={empty.heading} actions={<UploadDropZone />}>
      {empty.text}
    </EmptyState>
  );
}

function BuildsList({ builds, stale }: { builds: readonly Build[]; stale: boolean }) {
  const words = useWords().builds;
  const format = useFormat();
  const [selected, setSelected] = useState(NO_SELECTION);
  const chosen = builds.filter(({ id }) => selected.has(id));
  return (
    <>
      <BuildsTable builds={builds} selected={selected} onSelect={setSelected} stale={stale} />
      {chosen.length > 0 && (
        <SelectionBar
          label={words.selection}
          text={words.selected(format.number(chosen.length))}
          clearLabel={words.clearSelection}
          onClear={() => setSelected(NO_SELECTION)}
        >
          <CompareLink builds={chosen} className={buttonClass()} />
          <DeleteBuilds builds={chosen} onDone={() => setSelected(NO_SELECTION)} />
        </SelectionBar>
      )}
    </>
  );
}

function Foot({ count, onMore, busy }: { count: number; onMore?: () => void; busy: boolean }) {
  const words = useWords().builds;
  const format = useFormat();
  return (
    <LoadMore
      status={onMore ? words.more(format.number(count)) : format.plural(count, words.count)}
      label={words.loadMore}
      onMore={onMore}
      busy={busy}
    />
  );
}
