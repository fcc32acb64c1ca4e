import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type EventFilter, type Range, type RecordedEvent } from './recorded-event';

const COLUMNS = `id, type, actor_kind AS "actorKind", actor_id AS "actorId", actor_label AS "actorLabel", time,
  host(source_ip) AS "sourceIp", request_id AS "requestId", project_id AS "projectId", payload`;

/** The place of an event in the feed. */
export type FeedPosition = Pick<RecordedEvent, 'time' | 'id'>;

/** Events among which the nearest one of a project is searched. */
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

  /** The time of the last matching event before a time; null when there is none. */
  lastBefore(ctx: RequestContext, filter: EventFilter, time: Date): Promise<Date | null> {
    return this.nearest(ctx, filter, ['time < ?', time], 'DESC');
  }

  /** The time of the first matching event at or after a time; null when there is none. */
  firstFrom(ctx: RequestContext, filter: EventFilter, time: Date): Promise<Date | null> {
    return this.nearest(ctx, filter, ['time >= ?', time], 'ASC');
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

  private nearest(
    ctx: RequestContext,
    { projectId, ...filter }: EventFilter,
    bound: [string, Date],
    order: 'ASC' | 'DESC',
  ): Promise<Date | null> {
    const where = new Conditions(filter).and(...bound);
    return projectId === undefined ? this.timeOf(ctx, where, order) : this.timeInProject(ctx, where, projectId, order);
  }

  private async timeOf(ctx: RequestContext, where: Conditions, order: 'ASC' | 'DESC'): Promise<Date | null> {
    const event = await one<{ time: Date }>(
      this.transactions.manager(ctx),
      `SELECT time FROM audit_event WHERE ${where.text} ORDER BY time ${order}, id ${order} LIMIT 1`,
      where.values,
    );
    return event?.time ?? null;
  }

  /** The nearest event of a project, among a bounded number of events, because no index has the project. */
  private async timeInProject(
    ctx: RequestContext,
    where: Conditions,
    projectId: string,
    order: 'ASC' | 'DESC',
  ): Promise<Date | null> {
    const event = await one<{ time: Date }>(
      this.transactions.manager(ctx),
      `SELECT time FROM (
         SELECT time, id, project_id FROM audit_event WHERE ${where.text} ORDER BY time ${order}, id ${order} LIMIT ${NEAREST}
       ) AS near WHERE project_id = $${where.values.length + 1} ORDER BY time ${order}, id ${order} LIMIT 1`,
      [...where.values, projectId],
    );
    return event?.time ?? null;
  }
}

/** A WHERE clause and its values. */
class Conditions {
  private readonly conditions: string[] = [];
  readonly values: unknown[] = [];

  constructor({ organizationId, type, actorId, actorKind, sourceIp, projectId }: EventFilter) {
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
