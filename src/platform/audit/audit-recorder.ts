import { Injectable } from '@nestjs/common';
import { type AuditEvent } from '#kernel/audit/audit-event';
import { type Identity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids/ids';
import { Transactions } from '#platform/database/transactions';

/** Writes audit events: one for every state change, in the transaction that makes the change (contract §12). */
@Injectable()
export class AuditRecorder {
  constructor(private readonly transactions: Transactions) {}

  /** @throws AppError internal_error outside a transaction: an event apart from its change would prove nothing. */
  async record(ctx: RequestContext, event: AuditEvent): Promise<void> {
    if (!ctx.transaction) throw new AppError('internal_error', { message: 'An audit event needs a transaction.' });
    const actor = actorOf(ctx.identity);
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
        actor.label,
        ctx.sourceIp,
        ctx.requestId,
        JSON.stringify(event.payload),
        ctx.clock.now(),
      ],
    );
  }
}

interface Actor {
  readonly kind: string;
  readonly id: string | null;
  /** For people reading the feed. A developer has none here: the feed is append-only, and their e-mail must stay erasable. */
  readonly label: string | null;
}

function actorOf(identity: Identity): Actor {
  switch (identity.kind) {
    case 'jwt':
    case 'pat':
      return { kind: 'developer', id: identity.developerId, label: null };
    case 'project-token':
      return { kind: 'project_access_token', id: identity.tokenId, label: identity.tokenName };
    case 'invite':
      return { kind: 'invite', id: identity.inviteId, label: null };
    case 'anonymous':
      return { kind: 'anonymous', id: null, label: null };
    case 'system':
    case 'operator':
      return { kind: identity.kind, id: null, label: identity.name };
  }
}
