import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, type Transform, Transform as TransformStream } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { syncFolder } from '#platform/blob/local-folder';

/** What a file holds. */
export interface FileDigest {
  readonly sizeBytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** Zips a stream into a new file. Whole and durable when it resolves. */
export async function writeZipped(path: string, source: Readable): Promise<FileDigest> {
  const digest = new Digest();
  await pipeline(source, createGzip(), digest.stream, createWriteStream(path, { flush: true }));
  return digest.result();
}

/** Puts a small text under a name, in place of what was there, at one instant. */
export async function replaceText(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`;
  await pipeline(Readable.from([text]), createWriteStream(draft, { flush: true }));
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** Reads a file to its end. */
export async function digestOfFile(path: string): Promise<FileDigest> {
  return digestOf(createReadStream(path));
}

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
