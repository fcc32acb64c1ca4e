import { Link } from '@tanstack/react-router';
import { useDialog } from '../../parts/use-dialog';
import { type AuditEvent } from '../../queries/organization/audit';
import { Button, type Column, Table } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './audit.module.css';
import { useAuditPlace } from './use-audit-place';
import { type EventReader } from './use-event-texts';

interface EventsTableProps {
  readonly events: readonly AuditEvent[];
  readonly reader: EventReader;
  readonly stale: boolean;
}

/** The events of a day: time, actor, change, place. */
export function EventsTable({ events, reader, stale }: EventsTableProps) {
  const words = useWords().audit;
  return (
    <Table
      label={words.table}
      columns={useColumns(reader)}
      rows={events}
      rowKey={({ id }) => id}
      stale={stale}
      compact
    />
  );
}

function useColumns(reader: EventReader): readonly Column<AuditEvent>[] {
  const words = useWords().audit;
  const { columns } = words;
  const format = useFormat();
  const { open } = useDialog('event');
  return [
    {
      id: 'time',
      label: columns.time,
      width: 'narrow',
      cell: ({ time }) => <time dateTime={time}>{format.timeOfDay(new Date(time), 'UTC')}</time>,
    },
    { id: 'who', label: columns.who, cell: ({ actor }) => <span className={styles.who}>{reader.actor(actor)}</span> },
    {
      id: 'what',
      label: columns.what,
      rowHeader: true,
      cell: (event) => <span className={styles.what}>{reader.sentence(event)}</span>,
    },
    {
      id: 'where',
      label: columns.where,
      cell: ({ project_id: id }) => id !== null && <ProjectLink id={id} name={reader.project(id)} />,
    },
    {
      id: 'address',
      label: columns.address,
      width: 'narrow',
      cell: ({ source_ip: address }) => address && <span className={styles.ip}>{address}</span>,
    },
    {
      id: 'details',
      label: columns.details,
      hideLabel: true,
      width: 'narrow',
      align: 'end',
      cell: (event) => (
        <Button variant="quiet" aria-label={words.detailsOf(reader.sentence(event))} onClick={() => open(event.id)}>
          {columns.details}
        </Button>
      ),
    },
  ];
}

function ProjectLink({ id, name }: { id: string; name: string | undefined }) {
  const words = useWords().audit;
  const { organizationId } = useAuditPlace();
  if (name === undefined) return <span className={styles.soft}>{words.deletedProject}</span>;
  return (
    <Link className={styles.where} to="/o/$org/p/$project" params={{ org: organizationId, project: id }}>
      {name}
    </Link>
  );
}
