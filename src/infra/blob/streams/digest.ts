import { createHash } from 'node:crypto';
import { type Readable, type Transform, Transform as TransformStream } from 'node:stream';

/** The size and hash of a file or a blob. */
export interface FileDigest {
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** Hashes a stream, reading it to its end. */
export async function digestOf(source: Readable): Promise<FileDigest> {
  const digest = new Digest();
  for await (const chunk of source) digest.add(chunk as Buffer);
  return digest.result();
}

/** Counts and hashes chunks. */
export class Digest {
  private readonly hash = createHash('sha256');
  sizeBytes = 0;

  add(chunk: Buffer): void {
    this.sizeBytes += chunk.length;
    this.hash.update(chunk);
  }

  /** A stream that adds every chunk and passes it through. */
  get stream(): Transform {
    return new TransformStream({
      transform: (chunk: Buffer, _encoding, done) => {
        this.add(chunk);
        done(null, chunk);
      },
    });
  }

  /** Call it once, after the last chunk. */
  result(): FileDigest {
    return { sizeBytes: this.sizeBytes, sha256: this.hash.digest('hex') };
  }
}
