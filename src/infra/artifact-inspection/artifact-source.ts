import { type ContentChunks } from './received-hashes';

/** Random access to a stored artifact, in any store. */
export interface ArtifactSource {
  readonly sizeBytes: number;
  /** Digests that were made while the artifact was received. Without them, the verification of a signature reads the artifact again. */
  readonly chunks?: ContentChunks | undefined;
  /**
   * Reads exactly `length` bytes from `offset`. The caller keeps the range within the artifact.
   * @param signal aborts a read when its result is no longer needed.
   */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Buffer>;
}
