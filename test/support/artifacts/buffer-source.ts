import { type ArtifactSource } from '#infra/artifact-inspection/artifact-source';

/** An artifact in memory that counts its reads. */
export class BufferSource implements ArtifactSource {
  readonly sizeBytes: number;
  reads = 0;

  constructor(private readonly bytes: Buffer) {
    this.sizeBytes = bytes.length;
  }

  read(offset: number, length: number): Promise<Buffer> {
    this.reads += 1;
    return Promise.resolve(this.bytes.subarray(offset, offset + length));
  }
}
