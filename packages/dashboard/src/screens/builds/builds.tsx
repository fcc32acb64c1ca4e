import { type Platform } from '@agate/client';
import { ListState } from '../../parts/lists/list-state';
import { ListFoot } from '../../parts/lists/list-foot';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../../frame/use-title';
import { type Build, type BuildFilters, buildsQuery } from '../../queries/project/builds';
import { projectQuery } from '../../queries/organization/projects';
import { useProjectPlace } from '../../session/use-project-place';
import { buttonClass, Card, PageHeader, SelectionBar, Stack } from '../../ui';
import { UploadButton } from '../../uploads';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { BuildsTable } from './builds-table';
import { CompareLink } from './compare-link';
import { DeleteBuilds, type KeptBuild, KeptBuilds } from './delete-builds';
import { BuildFiltersBar } from './filters';
import { NoBuilds } from './no-builds';

const NO_SELECTION: ReadonlySet<string> = new Set();

/** The filters of the address, as the API names them. */
function useFilters(): BuildFilters {
  const { channel, platform, installable, ...texts } = useSearch({ from: '/member/o/$org/p/$project/builds' });
  return {
    ...texts,
    platform: platform as Platform | undefined,
    channel_id: channel,
    installable: installable === undefined ? undefined : installable === 'true',
  };
}

/** The builds of a project: search and filters in the address, selection for comparing and deleting. */
export function Builds() {
  const words = useWords().builds;
  const { scope } = useProjectPlace();
  const filters = useFilters();
  const { data: project } = useQuery(projectQuery(scope));
  useTitle(words.heading, project?.name);
  return (
    <Stack>
      <PageHeader title={words.heading} actions={<UploadButton />} />
      <FilteredBuilds filters={filters} />
    </Stack>
  );
}

function FilteredBuilds({ filters }: { filters: BuildFilters }) {
  const words = useWords().builds;
  const { scope } = useProjectPlace();
  const list = useInfiniteQuery({ ...buildsQuery(scope, filters), placeholderData: keepPreviousData });
  const builds = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const isEmpty = list.isSuccess && builds.length === 0 && !list.hasNextPage;
  return (
    <>
      {(isFiltered || !isEmpty) && <BuildFiltersBar isFiltered={isFiltered} />}
      <ListState list={list} rows={8} />
      {isEmpty && <NoBuilds isFiltered={isFiltered} />}
      {builds.length > 0 && <BuildsList builds={builds} stale={list.isPlaceholderData} />}
      {list.data && <ListFoot list={list} count={builds.length} forms={words.count} more={words.more} />}
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
      <Card title={words.list} hideTitle flush>
        <BuildsTable builds={builds} selected={selected} onSelect={setSelected} stale={stale} />
      </Card>
      {chosen.length > 0 && (
        <SelectionBar
          label={words.selection}
          text={words.selected(format.number(chosen.length))}
          clearLabel={words.clearSelection}
          onClear={() => setSelected(NO_SELECTION)}
        >
          <CompareLink builds={chosen} className={buttonClass()} />
          <DeleteBuilds
            builds={chosen}
            onDone={(stay) => {
              setSelected(NO_SELECTION);
              setKept(stay);
            }}
          />
        </SelectionBar>
      )}
    </>
  );
}
