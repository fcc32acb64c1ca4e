import { Link } from '@tanstack/react-router';
import { type AuditEvent } from '../../queries/organization/audit';
import { buttonClass, CodeBlock, CopyField, DescriptionList, Dialog, Inline, Time } from '../../ui';
import { useWords } from '../../words/words-provider';
import { useAuditPlace } from './use-audit-place';
import { type EventReader } from './use-event-texts';

interface EventDetailsProps {
  readonly event: AuditEvent;
  readonly reader: EventReader;
  readonly onClose: () => void;
}

/** All fields of an event. */
export function EventDetails({ event, reader, onClose }: EventDetailsProps) {
  const { details, deletedProject } = useWords().audit;
  const { id, type, actor, time, source_ip: address, request_id: requestId, project_id: project, payload } = event;
  return (
    <Dialog title={reader.sentence(event)} size="large" onClose={onClose}>
      {/* The focus is on the facts: the field of the request id would be selected. */}
      <div tabIndex={-1} data-autofocus>
        <DescriptionList
          items={[
            { label: details.time, value: <Time value={time} exact /> },
            { label: details.who, value: reader.wholeActor(actor) },
            { label: details.actorId, value: actor.id, mono: true },
            { label: details.address, value: address, mono: true },
            { label: details.project, value: project && (reader.project(project) ?? `${deletedProject} (${project})`) },
            { label: details.type, value: `${reader.label(type)} (${type})` },
            { label: details.id, value: id, mono: true },
          ]}
        />
      </div>
      <CopyField label={details.requestId} value={requestId} copyLabel={details.copyRequestId} />
      <CodeBlock label={details.payload} text={JSON.stringify(payload, null, 2)} copyLabel={details.copyPayload} />
      <Places event={event} reader={reader} />
    </Dialog>
  );
}

/** Links to the objects of the event, unless this event deleted them. */
function Places({ event: { type, project_id: project, payload }, reader }: Omit<EventDetailsProps, 'onClose'>) {
  const { details } = useWords().audit;
  const { organizationId: org } = useAuditPlace();
  if (project === null || reader.project(project) === undefined || /\.(deleted|erased)$/.test(type)) return null;
  const idOf = (field: string): string | null => (typeof payload[field] === 'string' ? payload[field] : null);
  const [build, channel, tester] = [idOf('build_id'), idOf('channel_id'), idOf('tester_id')];
  const params = { org, project };
  return (
    <Inline>
      {build && (
        <Link className={buttonClass()} to="/o/$org/p/$project/builds/$build" params={{ ...params, build }}>
          {details.openBuild}
        </Link>
      )}
      {channel && (
        <Link className={buttonClass()} to="/o/$org/p/$project/channels/$channel" params={{ ...params, channel }}>
          {details.openChannel}
        </Link>
      )}
      {tester && (
        <Link className={buttonClass()} to="/o/$org/p/$project/testers/$tester" params={{ ...params, tester }}>
          {details.openTester}
        </Link>
      )}
    </Inline>
  );
}
