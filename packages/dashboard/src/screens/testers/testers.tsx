import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTitle } from '../../frame/use-title';
import { itemsOf, ListScreen } from '../../parts/lists/list-screen';
import { useDialog } from '../../parts/use-dialog';
import { projectQuery } from '../../queries/organization/projects';
import { channelChoicesQuery } from '../../queries/project/channel-choices';
import { TESTER_STATES, testersQuery } from '../../queries/project/testers';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, buttonClass, EmptyState, Icon, PageHeader, SearchField, Select, Stack, Toolbar } from '../../ui';
import { useWords } from '../../words/words-provider';
import { ExportTesters } from './export-testers';
import { AddTesters } from './import/add-testers';
import { TestersTable } from './testers-table';

const ROUTE = '/member/o/$org/p/$project/testers';
const PATH = '/o/$org/p/$project/testers';

/** The activity of testers needs another role. The route of their download log needs the same one. */
const ACTIVITY_ROUTE = 'GET /testers/{tester_id}/downloads';

/** The testers of a project: their channels and builds. Search and filters are in the address. */
export function Testers() {
  const words = useWords().testers;
  const { scope } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  useTitle(words.heading, project?.name);
  const adding = useAdding();
  return (
    <Stack>
      <PageHeader title={words.heading} actions={<Acts />} />
      <TestersList />
      {adding.isOpen && <AddTesters onClose={adding.close} />}
    </Stack>
  );
}

/** The filters of the address. Filters by activity need another role, and are left out without it. */
function useFilters() {
  const { organizationId, projectId } = useProjectPlace();
  const hiddenReason = useMay({ organizationId, projectId })(ACTIVITY_ROUTE);
  const { q, channel, state: wanted } = useSearch({ from: ROUTE });
  const state = hiddenReason === undefined ? TESTER_STATES.find((one) => one === wanted) : undefined;
  return {
    filters: { q, channel_id: channel, state },
    isFiltered: [q, channel, state].some(Boolean),
    hiddenReason,
  };
}

function TestersList() {
  const words = useWords().testers;
  const { scope } = useProjectPlace();
  const { filters, isFiltered, hiddenReason } = useFilters();
  const list = useInfiniteQuery({ ...testersQuery(scope, filters), placeholderData: keepPreviousData });
  const testers = itemsOf(list);
  return (
    <>
      <Filters isFiltered={isFiltered} hasStates={hiddenReason === undefined} />
      {hiddenReason !== undefined && <p className="soft small">{words.hidden(hiddenReason)}</p>}
      <ListScreen
        list={list}
        count={testers.length}
        rows={8}
        forms={words.count}
        more={words.more}
        empty={<NoTesters isFiltered={isFiltered} />}
      >
        <TestersTable testers={testers} stale={list.isPlaceholderData} />
      </ListScreen>
    </>
  );
}

function Acts() {
  return (
    <>
      <DevicesLink />
      <ImportLink />
      <ExportTesters />
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

function DevicesLink() {
  const words = useWords().testers;
  const { params } = useProjectPlace();
  return (
    <Link to="/o/$org/p/$project/devices" params={params} className={buttonClass()}>
      {words.devices}
    </Link>
  );
}

function ImportLink() {
  const words = useWords().testers;
  const { organizationId, projectId, params } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('POST /testers/import');
  if (reason !== undefined) {
    return (
      <Button icon="file" disabledReason={reason}>
        {words.importLink}
      </Button>
    );
  }
  return (
    <Link to="/o/$org/p/$project/testers/import" params={params} className={buttonClass()}>
      <Icon name="file" />
      {words.importLink}
    </Link>
  );
}

function Filters({ isFiltered, hasStates }: { isFiltered: boolean; hasStates: boolean }) {
  const words = useWords().testers;
  const { scope } = useProjectPlace();
  const { q = '', channel = '', state = '' } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: PATH });
  const { data: channels } = useQuery(channelChoicesQuery(scope));
  const filter = (changes: { q?: string; channel?: string; state?: string }): void =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: 'q' in changes });
  return (
    <Toolbar role="search">
      <SearchField label={words.search} shortcut="/" value={q} onValue={(text) => filter({ q: text || undefined })} />
      <Select
        label={words.channel}
        hideLabel
        value={channel}
        onChange={(event) => filter({ channel: event.target.value || undefined })}
        options={[
          { value: '', label: words.allChannels },
          ...(channels ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {hasStates && (
        <Select
          label={words.state}
          hideLabel
          value={state}
          onChange={(event) => filter({ state: event.target.value || undefined })}
          options={[
            { value: '', label: words.allStates },
            ...TESTER_STATES.map((value) => ({ value, label: words.states[value] })),
          ]}
        />
      )}
      {isFiltered && <ClearFilters />}
    </Toolbar>
  );
}

function ClearFilters() {
  const navigate = useNavigate({ from: PATH });
  return <Button onClick={() => void navigate({ search: {} })}>{useWords().testers.clearFilters}</Button>;
}

function NoTesters({ isFiltered }: { isFiltered: boolean }) {
  const { empty, nothing } = useWords().testers;
  return isFiltered ? (
    <EmptyState title={nothing.heading}>{nothing.text}</EmptyState>
  ) : (
    <EmptyState title={empty.heading}>{empty.text}</EmptyState>
  );
}
