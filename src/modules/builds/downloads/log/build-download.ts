import { type DeviceFamily } from '#kernel/builds/device';
import { type Platform } from '#kernel/builds/platform';
import { type ByteSpan } from '#infra/blob/blob-store';
import { type LabelledOwner } from '#modules/tokens';

/** The bytes of a ticket's artifact that one response has sent. */
export interface SentSpan extends ByteSpan {
  readonly ticketId: string;
}

export interface DownloadingTester {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
}

/** A download by a tester, with the name and version of its build. */
export interface TesterDownload extends BuildDownload {
  readonly version: string;
  readonly buildNumber: string | null;
  readonly platform: Platform;
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
  /** Null when the download is anonymous. Name and address are null when the tester was erased. */
  readonly tester: DownloadingTester | null;
  /** The owner of the credential that minted the ticket. */
  readonly mintedBy: LabelledOwner;
}
