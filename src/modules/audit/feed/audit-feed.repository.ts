import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type EventFilter, type RecordedEvent } from './recorded-event';

const COLUMNS = `id, type, actor_kind AS "actorKind", actor_id AS "actorId", actor_label AS "actorLabel", time,
  host(source_ip) AS "sourceIp", request_id AS "requestId", project_id AS "projectId", payload`;

/** Each filter has an index that ends with time and id, so every query reads one index range. */
@Injectable()
export class AuditFeedRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Newest first. @param range starts at `from` and ends before a time, or before the last event of the previous page. */
  list(
    ctx: RequestContext,
    filter: EventFilter,
    { from, before }: { from: Date; before: Date | RecordedEvent },
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
    const where = new Conditions(filter).and('time < ?', time);
    return this.timeOf(ctx, where, 'DESC');
  }

  /** The time of the first matching event at or after a time; null when there is none. */
  firstFrom(ctx: RequestContext, filter: EventFilter, time: Date): Promise<Date | null> {
    const where = new Conditions(filter).and('time >= ?', time);
    return this.timeOf(ctx, where, 'ASC');
  }

  private async timeOf(ctx: RequestContext, where: Conditions, order: 'ASC' | 'DESC'): Promise<Date | null> {
    const event = await one<{ time: Date }>(
      this.transactions.manager(ctx),
      `SELECT time FROM audit_event WHERE ${where.text} ORDER BY time ${order}, id ${order} LIMIT 1`,
      where.values,
    );
    return event?.time ?? null;
  }
}

/** A WHERE clause and its values. */
class Conditions {
  private readonly conditions: string[] = [];
  readonly values: unknown[] = [];

  constructor({ organizationId, type, actorId, actorKind, sourceIp }: EventFilter) {
    this.and('organization_id = ?', organizationId);
    if (type !== undefined) this.and('type = ?', type);
    if (actorId !== undefined) this.and('actor_id = ?', actorId);
    // Without the condition on the id, no index could be used.
    if (actorKind !== undefined) this.and('actor_id IS NULL').and('actor_kind = ?', actorKind);
    if (sourceIp !== undefined) this.and('source_ip = ?', sourceIp);
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
