import { Injectable } from '@nestjs/common';
import { auditDigest } from '#kernel/audit/audit-digest';
import { type RequestContext } from '#kernel/context/request-context';
import { AuditChainRepository, type ChainedEvent, type Link } from './audit-chain.repository';

const PAGE_SIZE = 1_000;
/** Sorts after every event id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The first broken position of a chain. */
export interface ChainFault {
  /** `altered`: the event was changed. `missing`: the event was deleted. `inserted`: the event was not recorded by the service. */
  readonly reason: 'altered' | 'missing' | 'inserted';
  readonly position: bigint;
  /** Null for `missing`. */
  readonly eventId: string | null;
}

/** A chain with a fault. */
export interface BrokenChain extends ChainFault {
  readonly organizationId: string | null;
}

/** The result of verifying a chain. */
export interface ChainReport {
  /** The number of intact events before the fault, or in the whole chain. */
  readonly events: number;
  /** The last event that retention has deleted; position 0 when it has deleted none. */
  readonly anchor: Link;
  /** The last intact event. An operator who stores it elsewhere can later prove that the chain was not rewritten as a whole. */
  readonly head: Link;
  /** Null when the chain is intact. */
  readonly fault: ChainFault | null;
}

/** Verifies that no event of the audit feed was changed, deleted, inserted or moved (docs/decisions/0016-audit-chain.md). */
@Injectable()
export class AuditChainService {
  constructor(private readonly repository: AuditChainRepository) {}

  /**
   * Verifies the chain of an organization up to its current head; new events may be recorded at the same time. Memory use is one page.
   * @param organizationId null for the chain of account events.
   */
  async verify(
    ctx: RequestContext,
    organizationId: string | null,
    report: (done: number, total?: number, part?: string) => void = () => undefined,
  ): Promise<ChainReport> {
    for (;;) {
      const anchor = await this.repository.findAnchor(ctx, organizationId);
      const found = await this.follow(ctx, organizationId, anchor, report);
      if (!found.fault) return found;
      // Retention may have deleted events during the verification.
      if ((await this.repository.findAnchor(ctx, organizationId)).position === anchor.position) return found;
    }
  }

  /** Verifies all chains and returns the broken ones. */
  async verifyAll(ctx: RequestContext, report: (done: number, total: number) => void): Promise<readonly BrokenChain[]> {
    const broken: BrokenChain[] = [];
    const organizations = await this.repository.findOrganizations(ctx);
    for (const [index, organizationId] of organizations.entries()) {
      const { fault } = await this.verify(ctx, organizationId);
      if (fault) broken.push({ organizationId, ...fault });
      report(index + 1, organizations.length);
    }
    return broken;
  }

  private async follow(
    ctx: RequestContext,
    organizationId: string | null,
    anchor: Link,
    progress: (done: number, total?: number, part?: string) => void,
  ): Promise<ChainReport> {
    let head = anchor;
    let events = 0;
    const report = (fault: ChainFault | null): ChainReport => ({ events, anchor, head, fault });
    const stray = await this.repository.findBeforeAnchor(ctx, organizationId);
    if (stray) return report({ reason: 'inserted', position: stray.position, eventId: stray.id });

    for (let after = { position: anchor.position, id: LAST_ID }; ;) {
      // The head first: every event that it counts is then visible to the page query.
      const chainHead = await this.repository.findHead(ctx, organizationId);
      const page = await this.repository.list(ctx, organizationId, after, PAGE_SIZE);
      for (const event of page) {
        const fault = faultOf(head, event);
        if (fault) return report(fault);
        head = { position: event.position, hash: event.hash };
        after = { position: event.position, id: event.id };
        events += 1;
      }
      progress(events, undefined, 'events');
      if (page.length === 0) return report(faultAtEnd(head, chainHead, after.id));
    }
  }
}

/** The fault of the event that follows `previous`; null when it is intact. */
function faultOf(previous: Link, { position, hash, id, fields }: ChainedEvent): ChainFault | null {
  const expected = previous.position + 1n;
  if (position > expected) return { reason: 'missing', position: expected, eventId: null };
  if (position < expected) return { reason: 'inserted', position, eventId: id };
  return auditDigest(previous.hash, fields).equals(hash) ? null : { reason: 'altered', position, eventId: id };
}

/** The fault of the last event, compared with the recorded head of the chain; null when they agree. */
function faultAtEnd(last: Link, head: Link, eventId: string): ChainFault | null {
  if (last.position < head.position) return { reason: 'missing', position: last.position + 1n, eventId: null };
  if (last.position > head.position) return { reason: 'inserted', position: last.position, eventId };
  return last.hash.equals(head.hash) ? null : { reason: 'altered', position: last.position, eventId };
}
