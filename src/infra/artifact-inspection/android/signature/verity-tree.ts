import { createHash } from 'node:crypto';

/** The size of a page of fs-verity. */
export const PAGE_BYTES = 4096;

const SALT = Buffer.alloc(8);
const HASH_BYTES = 32;

/**
 * The tree of fs-verity over the contents of a package, as Android makes it (apksig, `VerityTreeBuilder`): each page of 4 KiB is hashed
 * with a salt of 8 zero bytes, then the pages of these hashes, until they fit into one page, whose hash is the root. Incomplete pages are
 * filled with zeros.
 */
export class VerityTree {
  private readonly leaves: Buffer[] = [];
  private rest: Buffer = Buffer.alloc(0);
  private sizeBytes = 0;

  add(bytes: Buffer): void {
    const pending = this.rest.length > 0 ? Buffer.concat([this.rest, bytes]) : bytes;
    const whole = pending.length - (pending.length % PAGE_BYTES);
    this.leaves.push(hashesOfPages(pending.subarray(0, whole)));
    this.rest = Buffer.from(pending.subarray(whole));
    this.sizeBytes += bytes.length;
  }

  /** The digest as a package contains it: the root and the number of bytes. */
  digest(): Buffer {
    let level: Buffer = Buffer.concat([...this.leaves, hashesOfPages(this.rest)]);
    while (level.length > PAGE_BYTES) level = hashesOfPages(level);
    const digest = Buffer.alloc(HASH_BYTES + 8);
    hashesOfPages(level).copy(digest);
    digest.writeBigUInt64LE(BigInt(this.sizeBytes), HASH_BYTES);
    return digest;
  }
}

function hashesOfPages(bytes: Buffer): Buffer {
  const count = Math.ceil(bytes.length / PAGE_BYTES);
  const hashes = Buffer.alloc(count * HASH_BYTES);
  for (let at = 0; at < count; at += 1) {
    const page = bytes.subarray(at * PAGE_BYTES, (at + 1) * PAGE_BYTES);
    const filling = Buffer.alloc(PAGE_BYTES - page.length);
    createHash('sha256')
      .update(SALT)
      .update(page)
      .update(filling)
      .digest()
      .copy(hashes, at * HASH_BYTES);
  }
  return hashes;
}
