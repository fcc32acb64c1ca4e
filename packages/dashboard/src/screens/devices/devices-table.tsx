import { Link } from '@tanstack/react-router';
import { type Device, labelOf } from '../../queries/project/devices';
import { useProjectPlace } from '../../session/use-project-place';
import { Badge, type Column, Table, Time } from '../../ui';
import { useWords } from '../../words/words-provider';
import { DeviceMenu } from './device-menu';

interface DevicesTableProps {
  readonly devices: readonly Device[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly stale: boolean;
}

/** Devices, newest first: their testers, and whether the newest build includes them. */
export function DevicesTable({ devices, selected, onSelect, stale }: DevicesTableProps) {
  const words = useWords().devices;
  return (
    <Table
      brief
      label={words.heading}
      columns={useColumns()}
      rows={devices}
      rowKey={({ id }) => id}
      stale={stale}
      selection={{
        selected,
        onSelect,
        rowLabel: (device) => words.select(labelOf(device) ?? words.unnamed),
        allLabel: words.selectAll,
      }}
    />
  );
}

function useColumns(): readonly Column<Device>[] {
  const { columns, ...words } = useWords().devices;
  return [
    {
      id: 'device',
      label: columns.device,
      cell: (device) => (
        <div>
          <div>{labelOf(device) ?? words.unnamed}</div>
          <div className="soft small">
            {[device.name && device.model, device.os_version].filter(Boolean).join(' · ')}
          </div>
        </div>
      ),
    },
    { id: 'tester', label: columns.tester, cell: (device) => <TesterOf device={device} /> },
    {
      id: 'build',
      label: columns.build,
      cell: ({ provisioned }) =>
        provisioned === null ? (
          <span className="soft">–</span>
        ) : (
          <Badge tone={provisioned ? 'success' : 'warning'}>{provisioned ? words.included : words.missing}</Badge>
        ),
    },
    {
      id: 'registered',
      label: columns.registered,
      cell: ({ registered_at }) =>
        registered_at === null ? <span className="soft">{words.notRegistered}</span> : <Time value={registered_at} />,
    },
    { id: 'created', label: columns.created, cell: ({ created_at }) => <Time value={created_at} /> },
    {
      id: 'actions',
      label: columns.actions,
      hideLabel: true,
      align: 'end',
      width: 'narrow',
      cell: (device) => <DeviceMenu device={device} />,
    },
  ];
}

function TesterOf({ device: { tester_id, tester_name, tester_email } }: { device: Device }) {
  const words = useWords().devices;
  const { params } = useProjectPlace();
  if (tester_id === null) return <span className="soft">{words.noTester}</span>;
  return (
    <Link to="/o/$org/p/$project/testers/$tester" params={{ ...params, tester: tester_id }}>
      {tester_name ?? tester_email}
    </Link>
  );
}
