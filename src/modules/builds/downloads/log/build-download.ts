import { type Owner } from '#kernel/context/identity';
import { type DeviceFamily } from '#kernel/builds/device';
import { type ByteSpan } from '#infra/blob/blob-store';

/** The bytes of a ticket's artifact that one response has sent. */
export interface SentSpan extends ByteSpan {
  readonly ticketId: string;
}

/** One download: everything that was sent for one ticket. */
export interface BuildDownload {
  readonly id: string;
  readonly buildId: string;
  readonly startedAt: Date;
  /** When the last missing byte was sent. Null when the download is not complete, or when the store sends the bytes. */
  readonly completedAt: Date | null;
  /** Includes retries, so it may exceed the artifact's size. Null until something is known. */
  readonly servedBytes: number | null;
  readonly deviceFamily: DeviceFamily;
  /** Stays after the tester is erased; then it refers to no row. */
  readonly testerId: string | null;
  readonly channelId: string | null;
  /** The owner of the credential that minted the ticket. */
  readonly mintedBy: Owner;
}
