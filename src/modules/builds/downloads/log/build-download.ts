import { type Owner } from '#kernel/context/identity';
import { type DeviceFamily } from '#kernel/builds/device';
import { type ByteSpan } from '#infra/blob/blob-store';

/** What went out on a ticket in one answer. */
export interface SentSpan extends ByteSpan {
  readonly ticketId: string;
}

/** One download: everything that was sent for one ticket. */
export interface BuildDownload {
  readonly id: string;
  readonly buildId: string;
  readonly startedAt: Date;
  /** When the last missing byte had gone out. Null: not complete, or not known because the store sends the bytes itself. */
  readonly completedAt: Date | null;
  /** Null while nothing is known. Retries count, so it may be more than the artifact has. */
  readonly servedBytes: number | null;
  readonly deviceFamily: DeviceFamily;
  /** Stays when the tester is erased: it names nobody any more. */
  readonly testerId: string | null;
  readonly channelId: string | null;
  /** Whose credential the ticket was made with. */
  readonly mintedBy: Owner;
}
