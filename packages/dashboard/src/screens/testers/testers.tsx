import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTitle } from '../../frame/use-title';
import { itemsOf, ListScreen } from '../../parts/lists/list-screen';
import { useDialog } from '../../parts/use-dialog';
import { projectQuery, projectSummaryQuery } from '../../queries/organization/projects';
import { type Tester, testersQuery } from '../../queries/project/testers';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, EmptyState, PageHeader, Stack } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { BulkBar } from './bulk-bar';
import { AdoptionBar } from './filters/adoption-bar';
import { Filters } from './filters/filters';
import { useFilters } from './filters/use-filters';
import { AddTesters } from './import/add-testers';
import { ImportLink, TestersActs } from './testers-acts';
import { TestersTable } from './testers-table';

/** The testers of a project: their channels and builds. Search and filters are in the address. */
export function Testers() {
  const words = useWords().testers;
  const { scope } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  useTitle(words.heading, project?.name);
  const adding = useAdding();
  const { list, isEmpty } = useList();
  return (
    <Stack>
      <PageHeader title={words.heading} actions={<TestersActs isEmpty={isEmpty} add={<AddButton />} />} />
      {isEmpty ? (
        <EmptyState title={words.empty.heading} actions={<AddActs />}>
          {words.empty.text}
        </EmptyState>
      ) : (
        <TestersList list={list} />
      )}
      {adding.isOpen && <AddTesters onClose={adding.close} />}
    </Stack>
  );
}

/** The testers that match the filters. Empty: the project has none at all. */
function useList() {
  const { scope } = useProjectPlace();
  const { filters, isFiltered } = useFilters();
  const list = useInfiniteQuery({ ...testersQuery(scope, filters), placeholderData: keepPreviousData });
  return { list, isEmpty: !isFiltered && list.isSuccess && !list.isPlaceholderData && itemsOf(list).length === 0 };
}

function TestersList({ list }: { list: ReturnType<typeof useList>['list'] }) {
  const words = useWords().testers;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const { isFiltered, hiddenReason } = useFilters();
  const { data: summary } = useQuery(projectSummaryQuery(scope));
  const testers = itemsOf(list);
  const all = isFiltered ? undefined : summary?.counts.testers;
  return (
    <>
      <Filters />
      {hiddenReason !== undefined && <p className="soft small">{words.hidden(hiddenReason)}</p>}
      <AdoptionBar />
      <ListScreen
        list={list}
        count={testers.length}
        rows={8}
        forms={words.count}
        more={all === undefined ? undefined : (count) => words.moreOf(count, format.number(all))}
        empty={<EmptyState title={words.nothing.heading}>{words.nothing.text}</EmptyState>}
      >
        <SelectableTesters testers={testers} stale={list.isPlaceholderData} />
      </ListScreen>
    </>
  );
}

const NO_SELECTION: ReadonlySet<string> = new Set();

/** The table, and the actions on the selected rows. Members who may not change testers select none. */
function SelectableTesters({ testers, stale }: { testers: readonly Tester[]; stale: boolean }) {
  const { organizationId, projectId } = useProjectPlace();
  const isAllowed = useMay({ organizationId, projectId })('POST /testers/bulk') === undefined;
  const [selected, setSelected] = useState(NO_SELECTION);
  const chosen = testers.filter(({ id }) => selected.has(id));
  return (
    <>
      <TestersTable
        testers={testers}
        stale={stale}
        selected={isAllowed ? selected : undefined}
        onSelect={setSelected}
      />
      <BulkBar testers={chosen} onClear={() => setSelected(NO_SELECTION)} />
    </>
  );
}

/** The ways to add testers, in the middle of an empty screen. */
function AddActs() {
  return (
    <>
      <ImportLink />
      <AddButton />
    </>
  );
}

function AddButton() {
  const words = useWords().testers;
  const { reason, open } = useAdding();
  return (
    <Button variant="primary" icon="plus" disabledReason={reason} onClick={() => open('1')}>
      {words.add}
    </Button>
  );
}

/** The dialog that adds testers. */
function useAdding() {
  const { organizationId, projectId } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('POST /testers/batch');
  const dialog = useDialog('add');
  return { ...dialog, reason, isOpen: dialog.value !== undefined && reason === undefined };
}
