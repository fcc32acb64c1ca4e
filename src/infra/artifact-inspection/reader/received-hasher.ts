import { createHash, type Hash } from 'node:crypto';
import { ChunkHasher, type ContentChunks } from '../content-chunks';
import { artifactKindOf } from './artifact-reader';

/** Hashes beside the SHA-256 that are made while a file is received, so that it need not be read again. */
export interface ReceivedHashes {
  /** The hash of chunks is needed to verify the signatures of an .apk. */
  readonly chunks?: ContentChunks | undefined;
  /** 64 bytes, for electron-updater. Null for files that it does not install. */
  readonly sha512: Buffer | null;
}

/**
 * Files that electron-updater installs. Its feed contains their SHA-512, which costs three times the CPU of the SHA-256 that every file
 * has.
 */
const ELECTRON_PACKAGE = /\.(appimage|deb|exe|pacman|rpm|zip)$/i;

/** Makes the hashes that files with a name need. */
export class ReceivedHasher {
  private readonly chunks: ChunkHasher | null;
  private readonly sha512: Hash | null;

  constructor(fileName: string) {
    this.chunks = artifactKindOf(fileName) === 'apk' ? new ChunkHasher() : null;
    this.sha512 = ELECTRON_PACKAGE.test(fileName) ? createHash('sha512') : null;
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
