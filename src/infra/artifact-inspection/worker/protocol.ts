import { type InspectedArtifact } from '../inspected-artifact';

/** The message that begins the inspection of an artifact. The next one follows the outcome. */
export interface WorkerInput {
  readonly fileName: string;
  readonly sizeBytes: number;
  /** The digests of the artifact's chunks, if they were made while it was received. */
  readonly chunkDigests: Uint8Array | undefined;
}

/** Messages from the worker: a read request, or the outcome. */
export type WorkerMessage =
  | { readonly type: 'read'; readonly offset: number; readonly length: number }
  | { readonly type: 'inspected'; readonly artifact: InspectedArtifact }
  | { readonly type: 'rejected'; readonly message: string; readonly details: Readonly<Record<string, unknown>> };

/** The message to the worker: the bytes of its last read request. It sends one request at a time. */
export type ReadResult = Uint8Array;
