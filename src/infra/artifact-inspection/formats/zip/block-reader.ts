import { type ArtifactSource } from '../../artifact-source';
import { inspectionError } from '../../inspection-errors';
import { LIMITS } from '../../limits/limits';

const TAIL_BLOCKS = 4;

/** The limits of a `BlockReader`. */
export interface BlockReaderLimits {
  readonly blockBytes: number;
  /** The number of blocks that are cached. */
  readonly blocks: number;
  /** The maximum number of bytes that are read from the store. */
  readonly fetchedBytes: number;
}

const DIRECTORY_READER: BlockReaderLimits = { blockBytes: 128 * 1024, blocks: 64, fetchedBytes: LIMITS.fetchedBytes };

/**
 * A caching source that reads the store in few, large reads. Caches blocks, and fetches the tail, which contains the zip directory, in one
 * read. Rejects ranges outside the artifact and reads beyond the limit.
 */
export class BlockReader implements ArtifactSource {
  readonly sizeBytes: number;
  private readonly blocks = new Map<number, Buffer>();
  private fetchedBytes = 0;

  constructor(
    private readonly source: ArtifactSource,
    private readonly limits: BlockReaderLimits = DIRECTORY_READER,
  ) {
    this.sizeBytes = source.sizeBytes;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const isValid = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
    if (!isValid || offset + length > this.sizeBytes) throw inspectionError('corrupt_archive');
    if (length === 0) return Buffer.alloc(0);
    const { blockBytes } = this.limits;
    if (length > TAIL_BLOCKS * blockBytes) return this.fetch(offset, length);
    const first = Math.floor(offset / blockBytes);
    const last = Math.floor((offset + length - 1) / blockBytes);
    const parts: Buffer[] = [];
    for (let block = first; block <= last; block += 1) parts.push(await this.block(block));
    const start = offset - first * blockBytes;
    return (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).subarray(start, start + length);
  }

  private async block(index: number): Promise<Buffer> {
    const cached = this.blocks.get(index);
    if (cached) return cached;
    const { blockBytes } = this.limits;
    const tailStart = Math.max(0, Math.floor(this.sizeBytes / blockBytes - TAIL_BLOCKS));
    const start = this.fetchedBytes === 0 && index >= tailStart ? tailStart : index;
    const end = start === index ? index : Math.floor((this.sizeBytes - 1) / blockBytes);
    const from = start * blockBytes;
    const bytes = await this.fetch(from, Math.min((end + 1) * blockBytes, this.sizeBytes) - from);
    for (let each = start; each <= end; each += 1) {
      const at = (each - start) * blockBytes;
      this.cache(each, bytes.subarray(at, at + blockBytes));
    }
    return this.blocks.get(index) as Buffer;
  }

  private cache(index: number, bytes: Buffer): void {
    const oldest = this.blocks.size >= this.limits.blocks ? this.blocks.keys().next().value : undefined;
    if (oldest !== undefined) this.blocks.delete(oldest);
    this.blocks.set(index, bytes);
  }

  private async fetch(offset: number, length: number): Promise<Buffer> {
    this.fetchedBytes += length;
    if (this.fetchedBytes > this.limits.fetchedBytes) throw inspectionError('too_complex');
    const bytes = await this.source.read(offset, length);
    if (bytes.length !== length) throw inspectionError('corrupt_archive');
    return bytes;
  }
}
