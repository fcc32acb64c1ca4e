import { Injectable } from '@nestjs/common';
import { CHAIN_START } from '#kernel/audit/audit-digest';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** A position in a chain and the hash of its event. */
export interface Link {
  readonly position: bigint;
  readonly hash: Buffer;
}

/** An event with the fields that its hash covers. */
export interface ChainedEvent extends Link {
  readonly id: string;
  readonly fields: readonly (string | null)[];
}

interface LinkRow {
  readonly position: string;
  readonly hash: Buffer;
}

interface EventRow extends LinkRow {
  readonly id: string;
  readonly fields: (string | null)[];
}

/** In the order that `auditDigest` expects. */
const FIELDS = `ARRAY[position::text, id::text, organization_id::text, project_id::text, type, actor_kind, actor_id::text,
  actor_label, host(source_ip), request_id, payload::text, (extract(epoch FROM time) * 1000)::bigint::text]`;

/** In all methods, an `organizationId` of null means the chain of account events. */
@Injectable()
export class AuditChainRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The start of a chain: the last event that retention has deleted. */
  async findAnchor(ctx: RequestContext, organizationId: string | null): Promise<Link> {
    const [row] = await this.query<LinkRow>(
      ctx,
      'SELECT position, hash FROM audit_anchor WHERE chain_id = audit_chain_id($1)',
      [organizationId],
    );
    return row ? toLink(row) : { position: 0n, hash: CHAIN_START };
  }

  /** The head of a chain: its newest event. */
  async findHead(ctx: RequestContext, organizationId: string | null): Promise<Link> {
    const [row] = await this.query<LinkRow>(
      ctx,
      'SELECT position, hash FROM audit_chain WHERE id = audit_chain_id($1)',
      [organizationId],
    );
    return row ? toLink(row) : { position: 0n, hash: CHAIN_START };
  }

  /** The organizations that have a chain, and null for the chain of account events. */
  async findOrganizations(ctx: RequestContext): Promise<readonly (string | null)[]> {
    const chains = await this.query<{ organizationId: string | null }>(
      ctx,
      `SELECT nullif(id, audit_chain_id(NULL)) AS "organizationId" FROM audit_chain ORDER BY id`,
      [],
    );
    return chains.map(({ organizationId }) => organizationId);
  }

  /** The events after a position, in chain order. */
  async list(
    ctx: RequestContext,
    organizationId: string | null,
    after: { position: bigint; id: string },
    limit: number,
  ): Promise<ChainedEvent[]> {
    const events = await this.query<EventRow>(
      ctx,
      `SELECT id, position, hash, ${FIELDS} AS fields FROM audit_event
       WHERE audit_chain_id(organization_id) = audit_chain_id($1) AND (position, id) > ($2, $3)
       ORDER BY position, id LIMIT ${limit}`,
      [organizationId, after.position, after.id],
    );
    return events.map(({ id, fields, ...link }) => ({ ...toLink(link), id, fields }));
  }

  /** An event at or before the anchor, where retention has deleted all events; null when there is none. */
  async findBeforeAnchor(ctx: RequestContext, organizationId: string | null): Promise<ChainedEvent | null> {
    const [row] = await this.query<EventRow>(
      ctx,
      `SELECT e.id, e.position, e.hash, '{}'::text[] AS fields FROM audit_event AS e
       LEFT JOIN audit_anchor AS a ON a.chain_id = audit_chain_id($1)
       WHERE audit_chain_id(e.organization_id) = audit_chain_id($1) AND e.position <= coalesce(a.position, 0)
         AND e.time >= coalesce(a.dropping_before, '-infinity') LIMIT 1`,
      [organizationId],
    );
    return row ? { ...toLink(row), id: row.id, fields: row.fields } : null;
  }

  private query<Row>(ctx: RequestContext, text: string, values: unknown[]): Promise<Row[]> {
    return rows<Row>(this.transactions.manager(ctx), text, values);
  }
}

const toLink = ({ position, hash }: LinkRow): Link => ({ position: BigInt(position), hash });
