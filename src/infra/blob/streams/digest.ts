import { createHash } from 'node:crypto';
import { type Readable, type Transform, Transform as TransformStream } from 'node:stream';

/** What a file or a blob holds. */
export interface FileDigest {
  readonly sizeBytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** Reads a stream to its end. */
export async function digestOf(source: Readable): Promise<FileDigest> {
  const digest = new Digest();
  for await (const chunk of source) digest.add(chunk as Buffer);
  return digest.result();
}

/** Counts and hashes what passes. */
export class Digest {
  private readonly hash = createHash('sha256');
  private sizeBytes = 0;

  add(chunk: Buffer): void {
    this.sizeBytes += chunk.length;
    this.hash.update(chunk);
  }

  /** Passes on what it is given. */
  get stream(): Transform {
    return new TransformStream({
      transform: (chunk: Buffer, _encoding, done) => {
        this.add(chunk);
        done(null, chunk);
      },
    });
  }

  /** Once, at the end. */
  result(): FileDigest {
    return { sizeBytes: this.sizeBytes, sha256: this.hash.digest('hex') };
  }
}
