import { type Owner } from '#kernel/context/identity';
import { type ProjectScope } from '#kernel/context/scope';
import { type SentPart, type UploadPart } from '#infra/blob/blob-store';
import { type BlobPlace } from '#modules/storage';
import { type LabelledOwner } from '#modules/tokens';
import { type UploadCleanup, type UploadDraft } from '../lifecycle/upload';

const MIB = 1024 * 1024;
/** Small enough that a broken connection costs little, large enough for every store (S3 requires 5 MiB). */
const MIN_PART_BYTES = 8 * MIB;
const MAX_PARTS = 1000;

/** An upload in parts. */
export interface ResumableUpload extends ProjectScope {
  readonly id: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly partSizeBytes: number;
  readonly draft: UploadDraft;
  /** The owner of the credential that started the upload; null when an earlier release stored it. */
  readonly createdBy: Owner | null;
  readonly createdAt: Date;
  /** The build that the upload has made or added an attachment to; null while it is open. */
  readonly buildId: string | null;
  /** The attachment that the upload has made; null while it is open, and when it made a build. */
  readonly attachmentId: string | null;
  /** The release that the build was promoted as; null when the upload named no channel. */
  readonly releaseId: string | null;
  /** The store's id of the upload; null until the first part URL is requested. */
  readonly storeUploadId: string | null;
  /** The place of the parts, and the reservation for them; null once the upload is a build. */
  readonly pending: PendingUpload | null;
}

/** The properties of an upload until it is a build. */
interface PendingUpload {
  readonly blob: BlobPlace;
  readonly reservationId: string;
  readonly expiresAt: Date;
  /** Whether its lease was renewed more than a minute ago. */
  readonly isRenewalDue: boolean;
}

/** An upload that still accepts parts. */
export type OpenUpload = ResumableUpload & { readonly pending: NonNullable<ResumableUpload['pending']> };

export const isOpen = (upload: ResumableUpload): upload is OpenUpload => upload.pending !== null;

/** The data that must be deleted when the upload is cancelled. */
export const cleanupOf = ({ organizationId, projectId, id, pending, storeUploadId }: OpenUpload): UploadCleanup => ({
  organizationId,
  projectId,
  id,
  blob: pending.blob,
  parts: { uploadId: storeUploadId },
});

/** An upload and which of its parts have arrived. */
export interface UploadProgress extends ResumableUpload {
  readonly parts: readonly (UploadPart & { readonly arrived: boolean })[];
}

/** An open upload in a list. */
export interface ListedUpload extends OpenUpload {
  readonly createdBy: LabelledOwner | null;
  /** The bytes of the parts that have arrived; null when the store is unavailable. */
  readonly arrivedBytes: number | null;
}

/** The address to which a client sends parts: the one that the store has signed, if it signs any, or this service. */
export const PART_ROUTES = ['store', 'service'] as const;
export type PartRoute = (typeof PART_ROUTES)[number];

/** A URL that receives the bytes of one part by `PUT`. */
export interface PartUrl extends UploadPart {
  readonly url: string;
  readonly expiresAt: Date;
}

/** The size of every part but the last, in whole MiB, so that a file has at most 1000 parts. */
export function partSizeFor(sizeBytes: number): number {
  return Math.max(MIN_PART_BYTES, Math.ceil(sizeBytes / MAX_PARTS / MIB) * MIB);
}

/** The parts of a file. */
export function partsOf({
  sizeBytes,
  partSizeBytes,
}: Pick<ResumableUpload, 'sizeBytes' | 'partSizeBytes'>): SentPart[] {
  const count = Math.ceil(sizeBytes / partSizeBytes);
  return Array.from({ length: count }, (_, index) => ({
    partNumber: index + 1,
    offset: index * partSizeBytes,
    sizeBytes: Math.min(partSizeBytes, sizeBytes - index * partSizeBytes),
  }));
}
