/** An event of the feed as it is read. */
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

/** Which events of an organization; a filter that is absent lets all pass. */
export interface EventFilter {
  readonly organizationId: string;
  readonly type?: string | undefined;
  readonly actorId?: string | undefined;
  readonly sourceIp?: string | undefined;
}

/** A day of the feed. Its events are read while they are consumed. */
export interface AuditDay {
  /** `2026-11-20`, in UTC. */
  readonly day: string;
  /** The nearest days that have matching events, or null. */
  readonly previousDay: string | null;
  readonly nextDay: string | null;
  /** Newest first, some at a time. */
  readonly pages: AsyncIterable<readonly RecordedEvent[]>;
}

const DAY_MS = 86_400_000;

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The first moment of a day, and the first after it. */
export function spanOf(day: string): { from: Date; to: Date } {
  const start = Date.parse(`${day}T00:00:00.000Z`);
  return { from: new Date(start), to: new Date(start + DAY_MS) };
}
