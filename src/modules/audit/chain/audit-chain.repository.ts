import { Injectable } from '@nestjs/common';
import { CHAIN_START } from '#kernel/audit/audit-digest';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';

/** A place in a chain, and the hash of the event there. */
export interface Link {
  readonly position: bigint;
  readonly hash: Buffer;
}

/** An event as far as its hash goes. */
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

/** The order is that of `auditDigest`. */
const FIELDS = `ARRAY[position::text, id::text, organization_id::text, project_id::text, type, actor_kind, actor_id::text,
  actor_label, host(source_ip), request_id, payload::text, (extract(epoch FROM time) * 1000)::bigint::text]`;

/** @param organizationId everywhere: null for the chain of the accounts' events. */
@Injectable()
export class AuditChainRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Where the chain begins: what retention has taken away last. */
  async findAnchor(ctx: RequestContext, organizationId: string | null): Promise<Link> {
    const [row] = await this.query<LinkRow>(
      ctx,
      'SELECT position, hash FROM audit_anchor WHERE chain_id = audit_chain_id($1)',
      [organizationId],
    );
    return row ? toLink(row) : { position: 0n, hash: CHAIN_START };
  }

  /** Where the chain ends. */
  async findHead(ctx: RequestContext, organizationId: string | null): Promise<Link> {
    const [row] = await this.query<LinkRow>(
      ctx,
      'SELECT position, hash FROM audit_chain WHERE id = audit_chain_id($1)',
      [organizationId],
    );
    return row ? toLink(row) : { position: 0n, hash: CHAIN_START };
  }

  /** Whose chains there are: organizations, and null for the accounts' events. */
  async findOwners(ctx: RequestContext): Promise<readonly (string | null)[]> {
    const rows = await this.query<{ owner: string | null }>(
      ctx,
      `SELECT nullif(id, audit_chain_id(NULL)) AS owner FROM audit_chain ORDER BY id`,
      [],
    );
    return rows.map(({ owner }) => owner);
  }

  /** The events behind a place, in the order of the chain. */
  async page(
    ctx: RequestContext,
    organizationId: string | null,
    after: { position: bigint; id: string },
    limit: number,
  ): Promise<ChainedEvent[]> {
    const rows = await this.query<EventRow>(
      ctx,
      `SELECT id, position, hash, ${FIELDS} AS fields FROM audit_event
       WHERE audit_chain_id(organization_id) = audit_chain_id($1) AND (position, id) > ($2, $3)
       ORDER BY position, id LIMIT ${limit}`,
      [organizationId, after.position, after.id],
    );
    return rows.map(({ id, fields, ...link }) => ({ ...toLink(link), id, fields }));
  }

  /** An event that stands where all are gone: nobody but retention takes any away, and it leaves none. */
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
    return this.transactions.manager(ctx).query(text, values);
  }
}

const toLink = ({ position, hash }: LinkRow): Link => ({ position: BigInt(position), hash });
