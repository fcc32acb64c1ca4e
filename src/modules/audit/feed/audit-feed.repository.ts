import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { type EventFilter, type RecordedEvent } from './recorded-event';

interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly actor_label: string | null;
  readonly time: Date;
  readonly source_ip: string | null;
  readonly request_id: string;
  readonly project_id: string | null;
  readonly payload: Record<string, unknown>;
}

/** Reads by one index each: that of the filter if there is one, with time and id behind it. */
@Injectable()
export class AuditFeedRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The newest events from `from` on that are older than `before`: a moment, or the last event of the page before. */
  async page(
    ctx: RequestContext,
    filter: EventFilter,
    { from, before }: { from: Date; before: Date | RecordedEvent },
    limit: number,
  ): Promise<RecordedEvent[]> {
    const where = new Conditions(filter).and('time >= ?', from);
    if (before instanceof Date) where.and('time < ?', before);
    else where.and('(time, id) < (?, ?)', before.time, before.id);
    const rows: EventRow[] = await this.transactions.manager(ctx).query(
      `SELECT id, type, actor_kind, actor_id, actor_label, time, host(source_ip) AS source_ip, request_id, project_id, payload
       FROM audit_event WHERE ${where.text} ORDER BY time DESC, id DESC LIMIT ${limit}`,
      where.values,
    );
    return rows.map(toEvent);
  }

  /** When the last matching event before a moment was. */
  async lastBefore(ctx: RequestContext, filter: EventFilter, moment: Date): Promise<Date | null> {
    const where = new Conditions(filter).and('time < ?', moment);
    return this.timeOf(ctx, where, 'DESC');
  }

  /** When the first matching event from a moment on was. */
  async firstFrom(ctx: RequestContext, filter: EventFilter, moment: Date): Promise<Date | null> {
    const where = new Conditions(filter).and('time >= ?', moment);
    return this.timeOf(ctx, where, 'ASC');
  }

  private async timeOf(ctx: RequestContext, where: Conditions, order: 'ASC' | 'DESC'): Promise<Date | null> {
    const rows: { time: Date }[] = await this.transactions
      .manager(ctx)
      .query(
        `SELECT time FROM audit_event WHERE ${where.text} ORDER BY time ${order}, id ${order} LIMIT 1`,
        where.values,
      );
    return rows[0]?.time ?? null;
  }
}

/** A WHERE and its values. */
class Conditions {
  private readonly conditions: string[] = [];
  readonly values: unknown[] = [];

  constructor({ organizationId, type, actorId, sourceIp }: EventFilter) {
    this.and('organization_id = ?', organizationId);
    if (type !== undefined) this.and('type = ?', type);
    if (actorId !== undefined) this.and('actor_id = ?', actorId);
    if (sourceIp !== undefined) this.and('source_ip = ?', sourceIp);
  }

  /** @param condition SQL with a `?` for each value. */
  and(condition: string, ...values: unknown[]): this {
    this.conditions.push(condition.replace(/\?/g, () => `$${this.values.push(values.shift())}`));
    return this;
  }

  get text(): string {
    return this.conditions.join(' AND ');
  }
}

const toEvent = (row: EventRow): RecordedEvent => ({
  id: row.id,
  type: row.type,
  actorKind: row.actor_kind,
  actorId: row.actor_id,
  actorLabel: row.actor_label,
  time: row.time,
  sourceIp: row.source_ip,
  requestId: row.request_id,
  projectId: row.project_id,
  payload: row.payload,
});
