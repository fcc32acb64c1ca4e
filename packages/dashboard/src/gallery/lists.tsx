import { useState } from 'react';
import {
  AppIcon,
  Badge,
  Button,
  Card,
  type Column,
  Inline,
  LoadMore,
  SearchField,
  Select,
  SelectionBar,
  Stack,
  Table,
  Tabs,
  Time,
  Toolbar,
} from '../ui';
import { BUILDS, type SampleBuild } from './samples';

const COLUMNS: readonly Column<SampleBuild>[] = [
  {
    id: 'build',
    label: 'Build',
    width: 'wide',
    sort: { direction: 'descending', onSort: () => undefined },
    cell: (build) => (
      <Inline gap={12}>
        <AppIcon name="Rocket" size={32} />
        <div>
          <a href={`#${build.id}`} className="strong">
            {build.version}
          </a>
          <Inline gap={4}>
            <span className="soft small">{build.platform} · ad hoc</span>
            {build.warnings > 0 && (
              <Badge tone="warning" icon="warning">
                1 warning
              </Badge>
            )}
          </Inline>
        </div>
      </Inline>
    ),
  },
  {
    id: 'source',
    label: 'Source',
    cell: ({ branch, commit }) => (
      <div>
        {branch}
        <div className="mono soft">{commit}</div>
      </div>
    ),
  },
  {
    id: 'uploaded',
    label: 'Uploaded',
    cell: ({ minutes, by, channels }) => (
      <div>
        <Time value={new Date(Date.now() - minutes * 60_000)} /> · {by}
        <Inline gap={4}>
          {channels.map((channel) => (
            <Badge key={channel} tone="accent" dot="filled">
              {channel}
            </Badge>
          ))}
        </Inline>
      </div>
    ),
  },
  { id: 'downloads', label: 'Downloads', align: 'end', cell: ({ downloads }) => downloads },
  { id: 'size', label: 'Size', align: 'end', width: 'narrow', cell: ({ size }) => size },
];

export function Lists() {
  const [query, setQuery] = useState('');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  return (
    <Stack>
      <Tabs label="Project">
        <a href="#overview">Overview</a>
        <a href="#builds" aria-current="page">
          Builds
        </a>
        <a href="#channels">Channels</a>
        <a href="#testers">Testers</a>
      </Tabs>
      <Toolbar>
        <SearchField label="Search builds" value={query} onValue={setQuery} shortcut="/" />
        <Select
          label="Platform"
          hideLabel
          options={[
            { value: '', label: 'All platforms' },
            { value: 'ios', label: 'iOS' },
          ]}
        />
        <Select label="Branch" hideLabel options={[{ value: '', label: 'All branches' }]} />
      </Toolbar>
      <Card title="Builds" flush hideTitle footer={<LoadMore status="3 builds" onMore={() => undefined} />}>
        <Table
          label="Builds"
          columns={COLUMNS}
          rows={BUILDS}
          rowKey={({ id }) => id}
          selection={{
            selected,
            onSelect: setSelected,
            rowLabel: ({ version }) => `Select ${version}`,
            allLabel: 'Select all',
          }}
        />
      </Card>
      {selected.size > 0 && (
        <SelectionBar
          label="Selection"
          text={`${selected.size} selected`}
          clearLabel="Clear selection"
          onClear={() => setSelected(new Set())}
        >
          <Button>Compare</Button>
          <Button variant="danger">Delete {selected.size} builds</Button>
        </SelectionBar>
      )}
      <Card title="Ledger" flush>
        <Table
          compact
          label="Ledger"
          rowKey={({ id }) => id}
          rows={BUILDS}
          columns={[
            { id: 'what', label: 'Entry', cell: ({ version }) => version },
            { id: 'when', label: 'Date', cell: ({ minutes }) => `${minutes} November 2026` },
            { id: 'sum', label: 'Amount', align: 'end', cell: ({ size }) => size },
          ]}
        />
      </Card>
    </Stack>
  );
}
