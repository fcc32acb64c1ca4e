import { createHash } from 'node:crypto';
import { type NewAttachment } from '#modules/builds';

/** Long enough for every header that is checked. */
const HEAD_BYTES = 64;

/** Hashes the file of an attachment while it is received or read, and keeps its first bytes. */
export class AttachmentReader {
  private readonly sha512 = createHash('sha512');
  private head = Buffer.alloc(0);

  /** Copies what it keeps, because the memory of a chunk is used again. */
  add(chunk: Buffer): void {
    this.sha512.update(chunk);
    if (this.head.length < HEAD_BYTES)
      this.head = Buffer.concat([this.head, chunk.subarray(0, HEAD_BYTES - this.head.length)]);
  }

  /** Call it once, after the last chunk. */
  result(): Pick<NewAttachment, 'sha512' | 'head'> {
    return { sha512: this.sha512.digest(), head: this.head };
  }
}
