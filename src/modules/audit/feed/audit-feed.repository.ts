import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type EventFilter, type Range, type RecordedEvent } from './recorded-event';

const COLUMNS = `id, type, actor_kind AS "actorKind", actor_id AS "actorId", actor_label AS "actorLabel", time,
  host(source_ip) AS "sourceIp", request_id AS "requestId", project_id AS "projectId", payload`;

/** The place of an event in the feed. */
export type FeedPosition = Pick<RecordedEvent, 'time' | 'id'>;

/** The times of the events around a range. */
interface Neighbours {
  readonly previous: Date | null;
  readonly next: Date | null;
}

/** The maximum number of events that are searched for the nearest one of a project. */
const NEAREST = 50_000;

/** Each filter but the project has an index that ends with time and id, so every query reads one index range. */
@Injectable()
export class AuditFeedRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Newest first. @param range starts at `from` and ends before a time, or before the last event of the previous page. */
  list(
    ctx: RequestContext,
    filter: EventFilter,
    { from, before }: { from: Date; before: Date | FeedPosition },
    limit: number,
  ): Promise<RecordedEvent[]> {
    const where = new Conditions(filter).and('time >= ?', from);
    if (before instanceof Date) where.and('time < ?', before);
    else where.and('(time, id) < (?, ?)', before.time, before.id);
    return rows<RecordedEvent>(
      this.transactions.manager(ctx),
      `SELECT ${COLUMNS} FROM audit_event WHERE ${where.text} ORDER BY time DESC, id DESC LIMIT ${limit}`,
      where.values,
    );
  }

  /** The times of the last matching event before a range and of the first one after it; null where there is none. */
  async neighbours(ctx: RequestContext, filter: EventFilter, { from, to }: Range): Promise<Neighbours> {
    const values: unknown[] = [];
    const previous = nearest(filter, ['time < ?', from], 'DESC', values);
    const next = nearest(filter, ['time >= ?', to], 'ASC', values);
    const statement = `SELECT (${previous}) AS previous, (${next}) AS next`;
    return (await one<Neighbours>(this.transactions.manager(ctx), statement, values)) ?? { previous: null, next: null };
  }

  /** The time of an event that the filter's organization has in a range; null when it does not exist. */
  async positionOf(
    ctx: RequestContext,
    { organizationId }: EventFilter,
    { from, to }: Range,
    id: string,
  ): Promise<FeedPosition | null> {
    return one<FeedPosition>(
      this.transactions.manager(ctx),
      'SELECT time, id FROM audit_event WHERE id = $1 AND organization_id = $2 AND time >= $3 AND time < $4',
      [id, organizationId, from, to],
    );
  }
}

/** The statement that reads the time of the nearest event before or from a time. Adds its values to `values`. */
function nearest(
  { projectId, ...filter }: EventFilter,
  bound: [string, Date],
  order: 'ASC' | 'DESC',
  values: unknown[],
): string {
  const where = new Conditions(filter, values).and(...bound).text;
  const ordered = `ORDER BY time ${order}, id ${order} LIMIT`;
  if (projectId === undefined) return `SELECT time FROM audit_event WHERE ${where} ${ordered} 1`;
  // Only a bounded number of events is searched, because no index contains the project.
  const near = `SELECT time, id, project_id FROM audit_event WHERE ${where} ${ordered} ${NEAREST}`;
  return `SELECT time FROM (${near}) AS near WHERE project_id = $${values.push(projectId)} ${ordered} 1`;
}

/** A WHERE clause and its values. */
class Conditions {
  private readonly conditions: string[] = [];

  /** @param values of the whole statement. */
  constructor(
    { organizationId, type, actorId, actorKind, sourceIp, projectId }: EventFilter,
    readonly values: unknown[] = [],
  ) {
    this.and('organization_id = ?', organizationId);
    if (type !== undefined) this.and('type = ?', type);
    if (actorId !== undefined) this.and('actor_id = ?', actorId);
    // Without the condition on the id, no index could be used.
    if (actorKind !== undefined) this.and('actor_id IS NULL').and('actor_kind = ?', actorKind);
    if (sourceIp !== undefined) this.and('source_ip = ?', sourceIp);
    if (projectId !== undefined) this.and('project_id = ?', projectId);
  }

  /** @param condition SQL with one `?` per value. */
  and(condition: string, ...values: unknown[]): this {
    this.conditions.push(condition.replace(/\?/g, () => `$${this.values.push(values.shift())}`));
    return this;
  }

  get text(): string {
    return this.conditions.join(' AND ');
  }
}
