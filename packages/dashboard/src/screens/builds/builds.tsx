import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { LoadError } from '../../frame/load-error';
import { useTitle } from '../../frame/use-title';
import { type Build, buildFacetsQuery, type BuildFilters, buildsQuery } from '../../queries/builds';
import { projectQuery } from '../../queries/projects';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, EmptyState, PageHeader, SearchField, Select, Skeleton } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { BuildsTable } from './builds-table';
import styles from './builds.module.css';
import { SelectionBar } from './selection-bar';

/** The builds of a project: search and filters in the address, selection for comparing and deleting. */
export function Builds() {
  const words = useWords().builds;
  const format = useFormat();
  const { projectId, scope } = useProjectPlace();
  const search = useSearch({ from: '/member/o/$org/p/$project/builds' });
  const navigate = useNavigate({ from: '/o/$org/p/$project/builds' });
  const { data: project } = useQuery(projectQuery(projectId));
  const { data: facets } = useQuery(buildFacetsQuery(scope));
  const filters = filtersOf(search);
  const list = useInfiniteQuery({ ...buildsQuery(scope, filters), placeholderData: (previous) => previous });
  const [selected, setSelected] = useState<ReadonlyMap<string, Build>>(new Map());
  useTitle(words.heading, project?.name);

  const filter = (changes: Partial<typeof search>): void =>
    void navigate({ search: (now) => withoutEmpty({ ...now, ...changes }), replace: changes.q !== undefined });
  const builds = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = Object.values(search).some(Boolean);

  return (
    <>
      <PageHeader heading={words.heading} actions={<UploadButton />} />
      <div className={styles.filters} role="search">
        <SearchField
          label={words.search}
          hideLabel
          shortcut="/"
          value={search.q ?? ''}
          onValue={(q) => filter({ q })}
        />
        <Select
          label={words.platform}
          hideLabel
          value={search.platform ?? ''}
          onChange={(event) => filter({ platform: event.target.value })}
          options={[
            { value: '', label: words.allPlatforms },
            ...(facets?.platforms ?? []).map(({ value }) => ({ value, label: words.platforms[value] ?? value })),
          ]}
        />
        <Select
          label={words.branch}
          hideLabel
          value={search.branch ?? ''}
          onChange={(event) => filter({ branch: event.target.value })}
          options={[
            { value: '', label: words.allBranches },
            ...(facets?.branches ?? []).map(({ value }) => ({ value, label: value })),
          ]}
        />
        {isFiltered && <Button onClick={() => void navigate({ search: {} })}>{words.clearFilters}</Button>}
      </div>
      {list.error && !list.data && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton rows={8} />}
      {list.data && builds.length === 0 && !isFiltered && (
        <EmptyState heading={words.empty.heading} text={words.empty.text} action={<UploadButton />} />
      )}
      {list.data && builds.length === 0 && isFiltered && (
        <EmptyState
          heading={words.nothing.heading}
          text={words.nothing.text}
          action={<Button onClick={() => void navigate({ search: {} })}>{words.clearFilters}</Button>}
        />
      )}
      {builds.length > 0 && <BuildsTable builds={builds} selected={selected} onSelect={setSelected} />}
      {list.data && (
        <p role="status" className={styles.status}>
          {list.hasNextPage ? words.more(format.number(builds.length)) : format.plural(builds.length, words.count)}
        </p>
      )}
      {list.hasNextPage && (
        <Button onClick={() => void list.fetchNextPage()} busy={list.isFetchingNextPage}>
          {words.loadMore}
        </Button>
      )}
      <SelectionBar builds={[...selected.values()]} onClear={() => setSelected(new Map())} />
    </>
  );
}
