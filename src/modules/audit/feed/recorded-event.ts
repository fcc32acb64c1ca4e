import { AppError } from '#kernel/errors/app-error';

/** An event as read from the feed. */
export interface RecordedEvent {
  readonly id: string;
  readonly type: string;
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly actorLabel: string | null;
  readonly time: Date;
  readonly sourceIp: string | null;
  readonly requestId: string;
  readonly projectId: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** An event with the present name of its object. */
export interface NamedEvent extends RecordedEvent {
  /** Null when the object is gone, has no name, or may not be known to the caller. */
  readonly subjectLabel: string | null;
}

/** Selects events of an organization. An absent filter matches all events. */
export interface EventFilter {
  readonly organizationId: string;
  readonly type?: string | undefined;
  readonly actorId?: string | undefined;
  /** The kind of an actor without an id. */
  readonly actorKind?: string | undefined;
  readonly sourceIp?: string | undefined;
  readonly projectId?: string | undefined;
}

/** The filters of a request. */
export interface FeedQuery extends Pick<EventFilter, 'organizationId' | 'type' | 'sourceIp' | 'projectId'> {
  /** An id, the e-mail address of a developer, or a key of {@link KINDS_WITHOUT_ID}. */
  readonly actor?: string | undefined;
}

/** The actors without an id: their name in a filter, and their kind in the feed. */
export const KINDS_WITHOUT_ID: Readonly<Record<string, string>> = {
  operator: 'operator',
  service: 'system',
  anonymous: 'anonymous',
};

/** A day of the feed. The pages are read from the database while they are consumed. */
export interface AuditDay {
  /** `2026-11-20`, in UTC. */
  readonly day: string;
  /** The nearest earlier day with matching events; null when there is none. */
  readonly previousDay: string | null;
  /** The nearest later day with matching events; null when there is none. */
  readonly nextDay: string | null;
  /** Newest first. */
  readonly pages: AsyncIterable<readonly NamedEvent[]>;
  /** The cursor of the next page, null on the last page; undefined when all events were requested. */
  readonly nextCursor?: string | null;
}

/** A day, or a range; absent bounds of a range are open. Without any, today. */
export interface RangeRequest {
  readonly day?: string | undefined;
  /** A day (`2026-11-20`), or a time in RFC 3339. */
  readonly from?: string | undefined;
  /** The last day, or the time before which the range ends. */
  readonly to?: string | undefined;
}

/** The time from `from` until before `to`. */
export interface Range {
  readonly from: Date;
  readonly to: Date;
}

const DAY_MS = 86_400_000;

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The start of a day and the start of the next day, in UTC. */
function boundsOf(day: string): Range {
  const start = Date.parse(`${day}T00:00:00.000Z`);
  return { from: new Date(start), to: new Date(start + DAY_MS) };
}

/** @throws AppError validation_error when a day is combined with a range, or when the range ends before it starts. */
export function rangeOf({ day, from, to }: RangeRequest, now: Date): Range {
  if (from === undefined && to === undefined) return boundsOf(day ?? dayOf(now));
  if (day !== undefined)
    throw AppError.validation([{ field: 'day', messages: ['day must not be combined with from or to'] }]);
  const isDay = (bound: string): boolean => bound.length === 'yyyy-mm-dd'.length;
  const start = from === undefined ? new Date(0) : new Date(from);
  const end = to === undefined ? new Date(now.getTime() + 1) : isDay(to) ? boundsOf(to).to : new Date(to);
  if (start >= end) throw AppError.validation([{ field: 'to', messages: ['to must not be before from'] }]);
  return { from: start, to: end };
}
