import { type ProjectScope } from '#kernel/context/scope';
import { type BlobPlace } from '#modules/storage';
import { type BlobStore } from '#infra/blob/blob-store';
import { type InspectedArtifact } from '#infra/artifact-inspection/inspected-artifact';

/** An upload on its way: where its bytes go, and what was reserved for it. */
export interface Upload extends ProjectScope {
  readonly id: string;
  readonly blob: BlobPlace;
  readonly reservationId: string;
  readonly store: BlobStore;
}

/** A file whose bytes are stored, hashed and counted. */
export interface StoredFile {
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** What an upload brought, ready to become a build. */
export interface StoredArtifact extends StoredFile {
  readonly upload: Upload;
  readonly inspected: InspectedArtifact;
}
