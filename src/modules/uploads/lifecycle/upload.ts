import { type ProjectScope } from '#kernel/context/scope';
import { type BlobStore } from '#infra/blob/blob-store';
import { type AttachmentDraft, type BuildDraft } from '#modules/builds';
import { type BlobPlace } from '#modules/storage';

/** An upload in progress: where its bytes are stored, and the reservation that holds room for them. */
export interface Upload extends ProjectScope {
  readonly id: string;
  readonly blob: BlobPlace;
  readonly reservationId: string;
  readonly store: BlobStore;
}

/** The data that must be deleted when an upload is cancelled. */
export interface UploadCleanup extends ProjectScope {
  readonly id: string;
  readonly blob: BlobPlace;
  /** The store's id of a resumable upload, if it is known; null for an upload in one request. */
  readonly parts: { readonly uploadId: string | null } | null;
}

/** An upload whose lease has expired. */
export interface ExpiredUpload extends UploadCleanup {
  readonly state: 'pending' | 'abandoned';
}

/** An attachment that an upload makes, and the build that it belongs to. */
export interface AttachmentTarget extends AttachmentDraft {
  readonly buildId: string;
}

/** What the client says about the file of a resumable upload. */
export interface UploadDraft extends BuildDraft {
  /** Absent when the upload makes a build. */
  readonly attachment?: AttachmentTarget | undefined;
}
