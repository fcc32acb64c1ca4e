import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type RequestContext } from '#kernel/context/request-context';
import { type ArtifactFile } from '../catalogue/build';
import { DownloadsRepository, MAX_TIMES, type ValidTicket } from './downloads.repository';

/** The maximum number of cached tickets, about 600 bytes each. */
const MAX_CACHED = 10_000;

/** A slow statement delays the responses of all its tickets, and the next statement. */
const MAX_TICKETS = 100;

/** A ticket that was settled when it was read, and its artifact at that time. */
export interface CachedTicket {
  readonly ticket: ValidTicket;
  readonly file: ArtifactFile;
}

/** A response that waits until its bytes are counted. */
interface Waiting {
  readonly plannedBytes: number;
  readonly resolve: (counted: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** The responses of one ticket that are counted together. */
interface TicketUses {
  readonly cached: CachedTicket;
  readonly waiting: Waiting[];
}

/**
 * The tickets that were settled when they were read. Keeps each ticket with its artifact, so that a download in ranges reads its ticket
 * once, and counts its responses. A cached ticket alone permits nothing: it may have ended, and its artifact may have moved. The statement
 * that counts checks both.
 *
 * One statement runs at a time, and the next one counts all responses that arrived in the meantime: parallel ranges cost a commit per
 * batch, not per range. A response that arrives while no statement runs waits for none.
 */
@Injectable()
export class SettledTicketsService {
  /** By the digest of the token: tokens are not cached. */
  private readonly cached = new LRUCache<string, CachedTicket>({ max: MAX_CACHED });
  /** By the id of the ticket, in the order of arrival. */
  private readonly uses = new Map<string, TicketUses>();
  private isCounting = false;

  constructor(private readonly repository: DownloadsRepository) {}

  /** @param digest of the ticket's token. */
  find(digest: Buffer): CachedTicket | undefined {
    return this.cached.get(digest.toString('latin1'));
  }

  /** Keeps a settled ticket. Forgets a ticket whose first use is still to come. @param found null when there is no valid ticket. */
  cache(digest: Buffer, found: CachedTicket | null): void {
    const key = digest.toString('latin1');
    if (found?.ticket.settled) this.cached.set(key, found);
    else this.cached.delete(key);
  }

  /**
   * Counts the bytes that a response is about to serve.
   * @returns false, and counts nothing, when the ticket has ended, its artifact has moved, or another transaction has locked the ticket.
   */
  count(ctx: RequestContext, cached: CachedTicket, plannedBytes: number): Promise<boolean> {
    const uses = this.uses.get(cached.ticket.id) ?? { cached, waiting: [] };
    if (!isSamePlace(uses.cached.file, cached.file)) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      uses.waiting.push({ plannedBytes, resolve, reject });
      this.uses.set(cached.ticket.id, uses);
      if (!this.isCounting) void this.countAll(ctx);
    });
  }

  private async countAll(ctx: RequestContext): Promise<void> {
    this.isCounting = true;
    while (this.uses.size > 0) await this.countBatch(ctx, this.takeBatch());
    this.isCounting = false;
  }

  private takeBatch(): TicketUses[] {
    const batch = [...this.uses.values()].slice(0, MAX_TICKETS);
    for (const { cached } of batch) this.uses.delete(cached.ticket.id);
    return batch;
  }

  private async countBatch(ctx: RequestContext, batch: readonly TicketUses[]): Promise<void> {
    try {
      const sums = batch.map(({ cached, waiting }) => ({
        id: cached.ticket.id,
        blob: cached.file.blob,
        bytes: sumOf(waiting),
      }));
      const servedBefore = await this.repository.countAgain(ctx, sums);
      for (const { cached, waiting } of batch) admit(waiting, cached, servedBefore.get(cached.ticket.id));
    } catch (error) {
      for (const { reject } of batch.flatMap(({ waiting }) => waiting)) reject(error);
    }
  }
}

const sumOf = (waiting: readonly Waiting[]): number => waiting.reduce((sum, { plannedBytes }) => sum + plannedBytes, 0);

/**
 * Admits the responses of a ticket in the order of their arrival, as long as the bytes before each are below the limit, as if each were
 * counted alone. The statement has counted all of them. The excess has no effect, because the ticket has ended then.
 */
function admit(waiting: readonly Waiting[], { file }: CachedTicket, servedBefore: number | undefined): void {
  let served = servedBefore ?? Infinity;
  for (const { plannedBytes, resolve } of waiting) {
    resolve(served < MAX_TIMES * file.sizeBytes);
    served += plannedBytes;
  }
}

/** Whether the artifact is still in the same place. */
const isSamePlace = ({ blob }: ArtifactFile, { blob: other }: ArtifactFile): boolean =>
  blob.account === other.account && blob.key === other.key;
