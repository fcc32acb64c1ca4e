import { createHash, type Hash } from 'node:crypto';
import { ChunkHasher, type ContentChunks } from '../content-chunks';
import { artifactKindOf } from './artifact-reader';

/** Hashes beside the SHA-256 that are made while a file is received, so that it need not be read again. */
export interface ReceivedHashes {
  /** For the verification of the signatures of an .apk. */
  readonly chunks?: ContentChunks | undefined;
  /** 64 bytes, for the updaters of desktop apps. Null for the packages of phones. */
  readonly sha512: Buffer | null;
}

/** Makes the hashes that files with a name need. */
export class ReceivedHasher {
  private readonly chunks: ChunkHasher | null;
  private readonly sha512: Hash | null;

  constructor(fileName: string) {
    const kind = artifactKindOf(fileName);
    this.chunks = kind === 'apk' ? new ChunkHasher() : null;
    this.sha512 = kind === null ? createHash('sha512') : null;
  }

  add(chunk: Buffer): void {
    this.chunks?.add(chunk);
    this.sha512?.update(chunk);
  }

  /** Call it once, after the last chunk. */
  result(): ReceivedHashes {
    return { chunks: this.chunks?.chunks, sha512: this.sha512?.digest() ?? null };
  }
}
