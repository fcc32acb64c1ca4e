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

/** Selects events of an organization. An absent filter matches all events. */
export interface EventFilter {
  readonly organizationId: string;
  readonly type?: string | undefined;
  readonly actorId?: string | undefined;
  /** The kind of an actor without an id. */
  readonly actorKind?: string | undefined;
  readonly sourceIp?: string | undefined;
}

/** The filters of a request. */
export interface FeedQuery extends Pick<EventFilter, 'organizationId' | 'type' | 'sourceIp'> {
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
  readonly pages: AsyncIterable<readonly RecordedEvent[]>;
}

const DAY_MS = 86_400_000;

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The start of a day and the start of the next day, in UTC. */
export function boundsOf(day: string): { from: Date; to: Date } {
  const start = Date.parse(`${day}T00:00:00.000Z`);
  return { from: new Date(start), to: new Date(start + DAY_MS) };
}
