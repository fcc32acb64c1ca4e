import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type Change } from '../change';

/** Reads the audit chains of organizations, whose positions are consecutive in commit order (docs/decisions/0016-audit-chain.md). */
@Injectable()
export class ChangesRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The position of the newest event of each organization. Organizations without events are left out. */
  async heads(ctx: RequestContext, organizationIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const heads = await rows<{ id: string; position: string }>(
      this.transactions.manager(ctx),
      'SELECT id, position FROM audit_chain WHERE id = ANY ($1)',
      [organizationIds],
    );
    return new Map(heads.map(({ id, position }) => [id, Number(position)]));
  }

  /** The events after a position, up to and including another, in their order. */
  async between(ctx: RequestContext, organizationId: string, after: number, until: number): Promise<Change[]> {
    const events = await rows<Omit<Change, 'position'> & { position: string }>(
      this.transactions.manager(ctx),
      `SELECT position, type, project_id AS "projectId", actor_id AS "actorId", payload FROM audit_event
       WHERE audit_chain_id(organization_id) = $1 AND position > $2 AND position <= $3 ORDER BY position`,
      [organizationId, after, until],
    );
    return events.map((event) => ({ ...event, position: Number(event.position) }));
  }
}
