import { type ProjectScope } from '#kernel/context/scope';
import { type BlobPlace } from '#modules/storage';
import { type UploadPart } from '#infra/blob/blob-store';
import { type BuildDraft } from '../catalogue/build-draft';
import { type UploadCleanup } from '../uploads/uploads.repository';

const MIB = 1024 * 1024;
/** Small enough that little is sent again after a break, large enough for every store (S3 wants 5 MiB). */
const MIN_PART_BYTES = 8 * MIB;
const MAX_PARTS = 1000;

/** An upload in parts. */
export interface ResumableUpload extends ProjectScope {
  readonly id: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly partSizeBytes: number;
  readonly draft: BuildDraft;
  /** What it has become. */
  readonly buildId: string | null;
  /** What that was promoted as, when a channel was named. */
  readonly releaseId: string | null;
  /** The store's name for it; null until the first part is asked for. */
  readonly storeUploadId: string | null;
  /** Where its bytes go, and what holds room for them; null once it is a build. */
  readonly pending: { readonly blob: BlobPlace; readonly reservationId: string; readonly expiresAt: Date } | null;
}

/** One that still takes parts. */
export type OpenUpload = ResumableUpload & { readonly pending: NonNullable<ResumableUpload['pending']> };

export const isOpen = (upload: ResumableUpload): upload is OpenUpload => upload.pending !== null;

/** What it would leave behind, and where. */
export const cleanupOf = ({ organizationId, projectId, id, pending, storeUploadId }: OpenUpload): UploadCleanup => ({
  organizationId,
  projectId,
  id,
  blob: pending.blob,
  parts: { uploadId: storeUploadId },
});

/** What a client is told: which parts have arrived. */
export interface UploadProgress extends ResumableUpload {
  readonly parts: readonly (UploadPart & { readonly arrived: boolean })[];
}

/** Where a part is sent, by `PUT`, with nothing but its bytes. */
export interface PartUrl extends UploadPart {
  readonly url: string;
  readonly expiresAt: Date;
}

/** The size of all parts of a file but the last: whole MiB, so that there are at most a thousand. */
export function partSizeFor(sizeBytes: number): number {
  return Math.max(MIN_PART_BYTES, Math.ceil(sizeBytes / MAX_PARTS / MIB) * MIB);
}

/** The parts that a file has. */
export function partsOf({
  sizeBytes,
  partSizeBytes,
}: Pick<ResumableUpload, 'sizeBytes' | 'partSizeBytes'>): UploadPart[] {
  const count = Math.ceil(sizeBytes / partSizeBytes);
  return Array.from({ length: count }, (_, index) => ({
    partNumber: index + 1,
    sizeBytes: Math.min(partSizeBytes, sizeBytes - index * partSizeBytes),
  }));
}
