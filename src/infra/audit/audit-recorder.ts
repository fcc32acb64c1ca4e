import { Injectable } from '@nestjs/common';
import { type AuditEvent, type AuditEventType } from '#kernel/audit/audit-event';
import { type Identity, ownerOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type InsertedRow, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { AuditEventEntity } from './audit-event.entity';

/**
 * Records audit events: one for each state change, in the transaction of the change. The client's request id is kept in the payload as
 * `client_request_id`, and the program that sent the request for the client as `client`.
 */
@Injectable()
export class AuditRecorder {
  constructor(private readonly transactions: Transactions) {}

  /** @throws AppError internal_error outside a transaction: the event and its change must commit together. */
  record(ctx: RequestContext, event: AuditEvent): Promise<void> {
    return this.recordAll(ctx, [event]);
  }

  /** Records several events with one statement. @throws AppError internal_error outside a transaction. */
  async recordAll(ctx: RequestContext, events: readonly AuditEvent[]): Promise<void> {
    const recorded = events.map((event) => rowOf(ctx, event));
    const [first] = recorded;
    if (!first) return;
    await rows(
      this.transactions.manager(ctx),
      `INSERT INTO audit_event (id, organization_id, project_id, type, actor_kind, actor_id, actor_label, source_ip, request_id, payload, time)
       SELECT e.id, e.organization_id, e.project_id, e.type, $6::text, $7::uuid, $8::text, $9::inet, $10::text, e.payload, $11::timestamptz
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::jsonb[]) AS e (id, organization_id, project_id, type, payload)`,
      [
        recorded.map(({ id }) => id),
        recorded.map(({ organizationId }) => organizationId),
        recorded.map(({ projectId }) => projectId),
        recorded.map(({ type }) => type),
        recorded.map(({ payload }) => JSON.stringify(payload)),
        first.actorKind,
        first.actorId,
        first.actorLabel,
        first.sourceIp,
        first.requestId,
        first.time,
      ],
    );
  }

  /** The row of an event, to be inserted together with its change. @throws AppError internal_error outside a transaction. */
  inserted(ctx: RequestContext, event: AuditEvent): InsertedRow {
    return [AuditEventEntity, rowOf(ctx, event)];
  }

  /** True when the feed has an event of one of the types, with a payload that contains the given fields. */
  async wasRecorded(
    ctx: RequestContext,
    {
      types,
      organizationId,
      payload = {},
    }: { types: readonly AuditEventType[]; organizationId: string | null; payload?: Readonly<Record<string, unknown>> },
  ): Promise<boolean> {
    // `IS NOT DISTINCT FROM` would not use the index.
    const ofOrganization =
      organizationId === null ? 'organization_id IS NULL AND $1::uuid IS NULL' : 'organization_id = $1';
    const found = await one(
      this.transactions.manager(ctx),
      `SELECT 1 FROM audit_event WHERE ${ofOrganization} AND type = ANY ($2) AND payload @> $3 LIMIT 1`,
      [organizationId, types, JSON.stringify(payload)],
    );
    return found !== null;
  }
}

/** Position and hash in the chain are added by the commit. */
function rowOf(
  ctx: RequestContext,
  { type, organizationId, projectId = null, payload }: AuditEvent,
): Omit<AuditEventEntity, 'position' | 'hash'> {
  if (!ctx.transaction) throw new AppError('internal_error', { message: 'An audit event needs a transaction.' });
  const { identity, clientRequestId, client, sourceIp, requestId, clock } = ctx;
  const actor = ownerOf(identity);
  return {
    id: newId(),
    organizationId,
    projectId,
    type,
    actorKind: actor.kind,
    actorId: actor.id,
    actorLabel: labelOf(identity),
    sourceIp,
    requestId,
    payload: { ...payload, ...(clientRequestId && { client_request_id: clientRequestId }), ...(client && { client }) },
    time: clock.now(),
  };
}

/** The label that readers of the feed see. Null for developers: their e-mail must stay erasable, and the feed is append-only. */
function labelOf(identity: Identity): string | null {
  switch (identity.kind) {
    case 'project-token':
      return identity.tokenName;
    case 'system':
    case 'operator':
      return identity.name;
    default:
      return null;
  }
}
