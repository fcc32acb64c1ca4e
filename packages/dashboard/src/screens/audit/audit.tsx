import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTitle } from '../../frame/use-title';
import { ListScreen } from '../../parts/lists/list-screen';
import { useDialog } from '../../parts/use-dialog';
import { useOrganizations } from '../../queries/account/session';
import { auditDayQuery, type AuditEvent } from '../../queries/organization/audit';
import { useMay } from '../../session/use-may';
import { Button, EmptyState, PageHeader, Stack } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { AuditFilters, useGoToDay } from './audit-filters';
import { EventDetails } from './event-details';
import { EventsTable } from './events-table';
import { ExportDay } from './export-day';
import { useAuditPlace } from './use-audit-place';
import { useEventReader } from './use-event-texts';

const NO_EVENTS: readonly AuditEvent[] = [];

/** The audit feed of an organization, a day at a time. */
export function Audit() {
  const words = useWords().audit;
  const { org: organizationId } = useParams({ from: '/member/o/$org/audit' });
  const reason = useMay({ organizationId })('GET /audit/organization/{organization_id}');
  useTitle(words.heading, useOrganizations().find(({ id }) => id === organizationId)?.name);
  if (reason === undefined) return <Feed />;
  return (
    <Stack>
      <PageHeader title={words.heading} />
      <EmptyState title={words.refused.heading} icon="lock">
        {words.refused.text(reason)}
      </EmptyState>
    </Stack>
  );
}

function Feed() {
  const words = useWords().audit;
  const { organizationId, filter } = useAuditPlace();
  const list = useInfiniteQuery(auditDayQuery(organizationId, filter));
  const { data } = list;
  const events = useMemo(() => data?.pages.flatMap((page) => page.events) ?? NO_EVENTS, [data]);
  const reader = useEventReader(events);
  const [first] = (!list.isPlaceholderData && data?.pages) || [];
  const days = { previous: first?.previous_day, next: first?.next_day };
  return (
    <Stack>
      <PageHeader title={words.heading} actions={<ExportDay isEmpty={events.length === 0} />} />
      <AuditFilters reader={reader} days={days} />
      <ListScreen list={list} count={events.length} rows={8} forms={words.count}>
        <Events events={events} reader={reader} stale={list.isPlaceholderData} {...days} />
      </ListScreen>
    </Stack>
  );
}

interface NearestDays {
  readonly previous: string | null | undefined;
  readonly next: string | null | undefined;
}

interface EventsProps extends NearestDays {
  readonly events: readonly AuditEvent[];
  readonly reader: ReturnType<typeof useEventReader>;
  readonly stale: boolean;
}

function Events({ events, reader, stale, ...days }: EventsProps) {
  if (events.length === 0) return <Nothing {...days} />;
  return (
    <>
      <EventsTable events={events} reader={reader} stale={stale} />
      <OpenedEvent events={events} reader={reader} />
    </>
  );
}

/** The details of the event that the address names. */
function OpenedEvent({ events, reader }: Pick<EventsProps, 'events' | 'reader'>) {
  const { value, close } = useDialog('event');
  const event = events.find(({ id }) => id === value);
  if (!event) return null;
  return <EventDetails event={event} reader={reader} onClose={close} />;
}

function Nothing({ previous, next }: NearestDays) {
  const { nothing } = useWords().audit;
  const format = useFormat();
  const { isFiltered } = useAuditPlace();
  const go = useGoToDay();
  return (
    <EmptyState
      title={nothing.heading}
      icon="search"
      actions={[previous, next].map(
        (day) =>
          day && (
            <Button key={day} onClick={() => go(day)}>
              {nothing.goTo(format.date(day))}
            </Button>
          ),
      )}
    >
      {isFiltered ? nothing.filtered : nothing.text}
    </EmptyState>
  );
}
