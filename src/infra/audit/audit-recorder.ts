import { Injectable } from '@nestjs/common';
import { type AuditEvent } from '#kernel/audit/audit-event';
import { type Identity, ownerOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { Transactions } from '#infra/database/transactions';

/** Writes audit events: one for every state change, in the transaction that makes the change (contract §12). */
@Injectable()
export class AuditRecorder {
  constructor(private readonly transactions: Transactions) {}

  /** @throws AppError internal_error outside a transaction: an event apart from its change would prove nothing. */
  async record(ctx: RequestContext, event: AuditEvent): Promise<void> {
    if (!ctx.transaction) throw new AppError('internal_error', { message: 'An audit event needs a transaction.' });
    const actor = ownerOf(ctx.identity);
    await this.transactions.manager(ctx).query(
      `INSERT INTO audit_event (id, organization_id, project_id, type, actor_kind, actor_id, actor_label, source_ip, request_id, payload, time)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        newId(),
        event.organizationId,
        event.projectId ?? null,
        event.type,
        actor.kind,
        actor.id,
        labelOf(ctx.identity),
        ctx.sourceIp,
        ctx.requestId,
        JSON.stringify(event.payload),
        ctx.clock.now(),
      ],
    );
  }
}

/** For people reading the feed. A developer has none here: the feed is append-only, and their e-mail must stay erasable. */
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
