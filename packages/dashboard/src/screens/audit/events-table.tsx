import { Link } from '@tanstack/react-router';
import { useDialog } from '../../parts/use-dialog';
import { type AuditEvent } from '../../queries/organization/audit';
import { type Column, Table, useUiWords } from '../../ui';
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
    <div className={styles.events}>
      <Table
        label={words.table}
        columns={useColumns(reader)}
        rows={events}
        rowKey={({ id }) => id}
        stale={stale}
        compact
      />
    </div>
  );
}

function useColumns(reader: EventReader): readonly Column<AuditEvent>[] {
  const words = useWords().audit;
  const { columns } = words;
  const { open } = useDialog('event');
  return [
    {
      id: 'time',
      label: columns.time,
      width: 'narrow',
      cell: ({ time }) => <LocalTime value={time} />,
    },
    {
      id: 'who',
      label: columns.who,
      cell: ({ actor }) => <Line text={reader.actor(actor)} whole={reader.wholeActor(actor)} />,
    },
    {
      id: 'what',
      label: columns.what,
      rowHeader: true,
      width: 'wide',
      cell: (event) => (
        <button type="button" className={styles.open} onClick={() => open(event.id)}>
          <span className={styles.sentence} title={reader.sentence(event)}>
            {reader.parts(event).map((part, index) => (index % 2 === 1 ? <strong key={index}>{part}</strong> : part))}
          </span>
        </button>
      ),
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
  ];
}

/** The time of day of the reader, with the day when it is another one than in UTC, by which days of the feed begin and end. */
function LocalTime({ value }: { value: string }) {
  const format = useFormat();
  const { exactTime } = useUiWords();
  const time = new Date(value);
  const isSameDay = time.getDate() === time.getUTCDate();
  return (
    <time dateTime={value} title={exactTime(time)} className={styles.time}>
      {isSameDay ? format.timeOfDay(time) : format.dateTime(time)}
    </time>
  );
}

function Line({ text, whole }: { text: string; whole: string }) {
  return (
    <span className={styles.line} title={whole}>
      {text}
    </span>
  );
}

function ProjectLink({ id, name }: { id: string; name: string | undefined }) {
  const words = useWords().audit;
  const { organizationId } = useAuditPlace();
  if (name === undefined) return <span className={styles.soft}>{words.deletedProject}</span>;
  return (
    <Link className={styles.where} to="/o/$org/p/$project" params={{ org: organizationId, project: id }} title={name}>
      {name}
    </Link>
  );
}
