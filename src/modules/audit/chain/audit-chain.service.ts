import { Injectable } from '@nestjs/common';
import { auditDigest } from '#kernel/audit/audit-digest';
import { type RequestContext } from '#kernel/context/request-context';
import { AuditChainRepository, type ChainedEvent, type Link } from './audit-chain.repository';

const PAGE_SIZE = 1_000;
/** Behind every event of a position. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Where a chain is broken first. */
export interface ChainFault {
  /** `altered`: is not what it was. `missing`: was taken away. `inserted`: was not put there by the service. */
  readonly reason: 'altered' | 'missing' | 'inserted';
  readonly position: bigint;
  /** Null where the event is missing. */
  readonly eventId: string | null;
}

/** A chain that is not whole. */
export interface BrokenChain extends ChainFault {
  readonly organizationId: string | null;
}

/** What following a chain found. */
export interface ChainReport {
  /** How many events are as they were recorded. */
  readonly events: number;
  /** What retention has taken away last; position 0 for nothing yet. */
  readonly anchor: Link;
  /** The last event that is as it was recorded. Kept elsewhere, it proves later that nobody wrote the chain anew. */
  readonly head: Link;
  /** Null when the chain is whole. */
  readonly fault: ChainFault | null;
}

/** Proves that the audit feed is what was recorded: nothing changed, taken away, put in or moved (decision 16). */
@Injectable()
export class AuditChainService {
  constructor(private readonly repository: AuditChainRepository) {}

  /**
   * Follows an organization's chain (null: that of the accounts' events) to its end, while it grows. Memory is that of a
   * page, however long the chain.
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
      // Retention may have taken away what was about to be read.
      if ((await this.repository.findAnchor(ctx, organizationId)).position === anchor.position) return found;
    }
  }

  /** Follows every chain there is. @returns those that are broken, and where. */
  async verifyAll(ctx: RequestContext, report: (done: number, total: number) => void): Promise<readonly BrokenChain[]> {
    const broken: BrokenChain[] = [];
    const owners = await this.repository.findOwners(ctx);
    for (const [index, organizationId] of owners.entries()) {
      const { fault } = await this.verify(ctx, organizationId);
      if (fault) broken.push({ organizationId, ...fault });
      report(index + 1, owners.length);
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
      // The end first: what is committed before a page is read is on it.
      const end = await this.repository.findHead(ctx, organizationId);
      const page = await this.repository.page(ctx, organizationId, after, PAGE_SIZE);
      for (const event of page) {
        const fault = faultOf(head, event);
        if (fault) return report(fault);
        head = { position: event.position, hash: event.hash };
        after = { position: event.position, id: event.id };
        events += 1;
      }
      progress(events, undefined, 'events');
      if (page.length === 0) return report(faultAtEnd(head, end, after.id));
    }
  }
}

/** What is wrong with the event that follows `previous`, or null. */
function faultOf(previous: Link, { position, hash, id, fields }: ChainedEvent): ChainFault | null {
  const due = previous.position + 1n;
  if (position > due) return { reason: 'missing', position: due, eventId: null };
  if (position < due) return { reason: 'inserted', position, eventId: id };
  return auditDigest(previous.hash, fields).equals(hash) ? null : { reason: 'altered', position, eventId: id };
}

/** What is wrong with the last event there is, given the end that was recorded, or null. */
function faultAtEnd(last: Link, end: Link, eventId: string): ChainFault | null {
  if (last.position < end.position) return { reason: 'missing', position: last.position + 1n, eventId: null };
  if (last.position > end.position) return { reason: 'inserted', position: last.position, eventId };
  return last.hash.equals(end.hash) ? null : { reason: 'altered', position: last.position, eventId };
}
