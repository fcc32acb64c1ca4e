import { createHash, type Hash } from 'node:crypto';

/** The signature schemes of Android hash a package in chunks of this size. */
export const CHUNK_BYTES = 1024 * 1024;

const DIGEST_BYTES = 32;

/** The prefix of a chunk: 0xa5 and its length. */
function chunkHead(length: number): Buffer {
  const head = Buffer.alloc(5, 0xa5);
  head.writeUInt32LE(length, 1);
  return head;
}

/** The digest of one chunk. */
export const chunkDigest = (name: 'sha256' | 'sha512', chunk: Buffer): Buffer =>
  createHash(name).update(chunkHead(chunk.length)).update(chunk).digest();

/** The SHA-256 digests of a file's whole chunks, from its start. */
export class ContentChunks {
  /** @param digests one after the other, 32 bytes each. */
  constructor(readonly digests: Uint8Array) {}

  /** The digest of the chunk at an offset that is a multiple of `CHUNK_BYTES`. `null` when it is unknown. */
  digestAt(offset: number): Buffer | null {
    const at = (offset / CHUNK_BYTES) * DIGEST_BYTES;
    const { buffer, byteOffset, length } = this.digests;
    return at + DIGEST_BYTES <= length ? Buffer.from(buffer, byteOffset + at, DIGEST_BYTES) : null;
  }
}

/** Hashes the whole chunks of a file while it is received, so that it need not be read again. */
export class ChunkHasher {
  private readonly digests: Buffer[] = [];
  private hash = createHash('sha256').update(chunkHead(CHUNK_BYTES));
  private filled = 0;

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + CHUNK_BYTES - this.filled);
      this.hash.update(part);
      this.filled += part.length;
      at += part.length;
      if (this.filled === CHUNK_BYTES) this.finishChunk();
    }
  }

  /** The digests of the chunks that are complete. */
  get chunks(): ContentChunks {
    return new ContentChunks(Buffer.concat(this.digests));
  }

  private finishChunk(): void {
    this.digests.push(this.hash.digest());
    this.hash = createHash('sha256').update(chunkHead(CHUNK_BYTES));
    this.filled = 0;
  }
}

/** Hashes beside the SHA-256 that are made while a file is received, so that it need not be read again. */
export interface ReceivedHashes {
  /** The hashes of chunks are needed to verify the signatures of an .apk. */
  readonly chunks?: ContentChunks | undefined;
  /** 64 bytes, for electron-updater. Null for files that it does not install. */
  readonly sha512: Buffer | null;
}

const ANDROID_PACKAGE = /\.apk$/i;
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
    this.chunks = ANDROID_PACKAGE.test(fileName) ? new ChunkHasher() : null;
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
