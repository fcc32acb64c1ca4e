/** Random access to a stored artifact: works alike for a local file, S3 or Azure. */
export interface ArtifactSource {
  readonly sizeBytes: number;
  /**
   * Exactly `length` bytes from `offset`; the range always lies within the artifact.
   * @param signal ends a read that nobody waits for any more.
   */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Buffer>;
}
