import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../../frame/use-title';
import { saveFile } from '../../parts/files/save-file';
import { itemsOf, ListScreen } from '../../parts/lists/list-screen';
import { useDialog } from '../../parts/use-dialog';
import { useChanged } from '../../queries/changes';
import { projectQuery } from '../../queries/organization/projects';
import { type Device, type DeviceFilters, devicesQuery } from '../../queries/project/devices';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, Card, EmptyState, PageHeader, Select, SelectionBar, Stack, Toolbar, useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { DevicesTable } from './devices-table';
import { ImportDevices } from './import-devices';

const ROUTE = '/member/o/$org/p/$project/devices';
const PATH = '/o/$org/p/$project/devices';
const NO_SELECTION: ReadonlySet<string> = new Set();

const STATES = ['missing', 'included', 'unregistered'] as const;
const FILTERS: Readonly<Record<(typeof STATES)[number], DeviceFilters>> = {
  missing: { provisioned: false },
  included: { provisioned: true },
  unregistered: { registered: false },
};

/** The iPhones and iPads of testers. The filter is in the address. */
export function Devices() {
  const words = useWords().devices;
  const { scope, organizationId, projectId, params } = useProjectPlace();
  const { data: project } = useQuery(projectQuery(scope));
  const may = useMay({ organizationId, projectId });
  const dialog = useDialog('add');
  useTitle(words.heading, project?.name);
  const reason = may('GET /devices');
  const { isEmpty } = useIsEmpty(reason === undefined);
  const importReason = may('POST /devices/import');
  return (
    <Stack>
      <PageHeader
        title={words.heading}
        above={
          <Link to="/o/$org/p/$project/testers" params={params}>
            {words.testers}
          </Link>
        }
        actions={!isEmpty && <ImportButton />}
      />
      {reason === undefined ? (
        <DevicesList />
      ) : (
        <EmptyState title={words.refused} icon="lock">
          {reason}.
        </EmptyState>
      )}
      {dialog.value !== undefined && importReason === undefined && <ImportDevices onClose={dialog.close} />}
    </Stack>
  );
}

/** Whether there is no device at all: the button that imports them is then in the middle of the screen. */
function useIsEmpty(enabled: boolean) {
  const { scope } = useProjectPlace();
  const { state } = useSearch({ from: ROUTE });
  const { data, isPending } = useInfiniteQuery({ ...devicesQuery(scope, {}), enabled: enabled && state === undefined });
  return { isEmpty: enabled && state === undefined && (isPending || data?.pages[0]?.items.length === 0) };
}

function ImportButton() {
  const words = useWords().devices;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const { open } = useDialog('add');
  return (
    <Button icon="file" disabledReason={may('POST /devices/import')} onClick={() => open('1')}>
      {words.importFile}
    </Button>
  );
}

function DevicesList() {
  const words = useWords().devices;
  const { scope } = useProjectPlace();
  const { state: wanted } = useSearch({ from: ROUTE });
  const state = STATES.find((one) => one === wanted);
  const filters = state === undefined ? {} : FILTERS[state];
  const list = useInfiniteQuery({ ...devicesQuery(scope, filters), placeholderData: keepPreviousData });
  const devices = itemsOf(list);
  const empty = state === undefined ? words.empty : words.nothing;
  return (
    <>
      {(devices.length > 0 || state !== undefined) && <StateFilter value={state ?? ''} />}
      <ListScreen
        list={list}
        count={devices.length}
        rows={6}
        forms={words.count}
        empty={
          <EmptyState title={empty.heading} actions={state === undefined && <ImportButton />}>
            {empty.text}
          </EmptyState>
        }
      >
        <SelectableDevices devices={devices} stale={list.isPlaceholderData} />
      </ListScreen>
    </>
  );
}

function StateFilter({ value }: { value: string }) {
  const words = useWords().devices;
  const navigate = useNavigate({ from: PATH });
  return (
    <Toolbar role="search">
      <Select
        label={words.state}
        hideLabel
        value={value}
        onChange={(event) => void navigate({ search: { state: event.target.value || undefined } })}
        options={[
          { value: '', label: words.allStates },
          ...STATES.map((state) => ({ value: state, label: words.states[state] })),
        ]}
      />
    </Toolbar>
  );
}

function SelectableDevices({ devices, stale }: { devices: readonly Device[]; stale: boolean }) {
  const words = useWords().devices;
  const format = useFormat();
  const [selected, setSelected] = useState(NO_SELECTION);
  const ids = devices.filter(({ id }) => selected.has(id)).map(({ id }) => id);
  return (
    <>
      <Card title={words.heading} hideTitle flush>
        <DevicesTable devices={devices} selected={selected} onSelect={setSelected} stale={stale} />
      </Card>
      {ids.length > 0 && (
        <SelectionBar
          label={words.selection}
          text={words.selected(format.number(ids.length))}
          clearLabel={words.clearSelection}
          onClear={() => setSelected(NO_SELECTION)}
        >
          <ExportForApple ids={ids} />
          <MarkRegistered ids={ids} onDone={() => setSelected(NO_SELECTION)} />
        </SelectionBar>
      )}
    </>
  );
}

interface ChosenProps {
  readonly ids: readonly string[];
}

/** Saves the file with which Apple registers many devices. */
function ExportForApple({ ids }: ChosenProps) {
  const words = useWords().devices;
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const toast = useToast();
  const exported = useMutation({
    mutationFn: () => api.request('GET /devices/export', { query: { ...scope, format: 'apple', ids } }),
    onSuccess: (text) => saveFile('devices.txt', text, 'text/plain'),
    onError: (error) => toast(error.message, { tone: 'problem' }),
  });
  return (
    <Button
      icon="download"
      busy={exported.isPending}
      disabledReason={may('GET /devices/export')}
      onClick={() => exported.mutate()}
    >
      {words.exportApple}
    </Button>
  );
}

function MarkRegistered({ ids, onDone }: ChosenProps & { readonly onDone: () => void }) {
  const words = useWords().devices;
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const changed = useChanged();
  const toast = useToast();
  const format = useFormat();
  const marking = useMutation({
    mutationFn: () => api.request('POST /devices/mark-registered', { query: scope, body: { ids: [...ids] } }),
    onSuccess: async ({ marked }) => {
      await changed({ type: 'devices.marked_registered' });
      toast(format.plural(marked, words.marked), { tone: 'success' });
      onDone();
    },
    onError: (error) => toast(error.message, { tone: 'problem' }),
  });
  return (
    <Button
      icon="check"
      busy={marking.isPending}
      disabledReason={may('POST /devices/mark-registered')}
      onClick={() => marking.mutate()}
    >
      {words.mark}
    </Button>
  );
}
