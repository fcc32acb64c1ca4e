export interface BlobWriteOptions {
  /**
   * Sees every chunk on arrival, while it is still in the processor's cache: the place to hash and to count. Whatever it
   * throws fails the write. The chunk is only lent: it must not be kept or changed.
   */
  readonly onChunk?: (chunk: Buffer) => void;
  /** Ends the write early; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface BlobHead {
  readonly sizeBytes: number;
}
