import { type ArtifactSource } from '../../artifact-source';
import { LIMITS } from '../../limits';
import { inspectionError } from '../../inspection-errors';

const BLOCK_BYTES = 128 * 1024;
const CACHED_BLOCKS = 64;
const TAIL_BYTES = 4 * BLOCK_BYTES;

/**
 * A caching source that reads the store in few, large reads. Caches blocks, and fetches the tail, which contains the zip directory, in one
 * read. Rejects ranges outside the artifact and reads beyond `LIMITS.fetchedBytes`.
 */
export class BlockReader implements ArtifactSource {
  readonly sizeBytes: number;
  private readonly blocks = new Map<number, Buffer>();
  private fetchedBytes = 0;

  constructor(private readonly source: ArtifactSource) {
    this.sizeBytes = source.sizeBytes;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const isValid = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
    if (!isValid || offset + length > this.sizeBytes) throw inspectionError('corrupt_archive');
    if (length === 0) return Buffer.alloc(0);
    if (length > TAIL_BYTES) return this.fetch(offset, length);
    const first = Math.floor(offset / BLOCK_BYTES);
    const last = Math.floor((offset + length - 1) / BLOCK_BYTES);
    const parts: Buffer[] = [];
    for (let block = first; block <= last; block += 1) parts.push(await this.block(block));
    const start = offset - first * BLOCK_BYTES;
    return (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).subarray(start, start + length);
  }

  private async block(index: number): Promise<Buffer> {
    const cached = this.blocks.get(index);
    if (cached) return cached;
    const tailStart = Math.max(0, Math.floor((this.sizeBytes - TAIL_BYTES) / BLOCK_BYTES));
    const start = this.fetchedBytes === 0 && index >= tailStart ? tailStart : index;
    const end = start === index ? index : Math.floor((this.sizeBytes - 1) / BLOCK_BYTES);
    const from = start * BLOCK_BYTES;
    const bytes = await this.fetch(from, Math.min((end + 1) * BLOCK_BYTES, this.sizeBytes) - from);
    for (let each = start; each <= end; each += 1) {
      const at = (each - start) * BLOCK_BYTES;
      this.cache(each, bytes.subarray(at, at + BLOCK_BYTES));
    }
    return this.blocks.get(index) as Buffer;
  }

  private cache(index: number, bytes: Buffer): void {
    const oldest = this.blocks.size >= CACHED_BLOCKS ? this.blocks.keys().next().value : undefined;
    if (oldest !== undefined) this.blocks.delete(oldest);
    this.blocks.set(index, bytes);
  }

  private async fetch(offset: number, length: number): Promise<Buffer> {
    this.fetchedBytes += length;
    if (this.fetchedBytes > LIMITS.fetchedBytes) throw inspectionError('too_complex');
    const bytes = await this.source.read(offset, length);
    if (bytes.length !== length) throw inspectionError('corrupt_archive');
    return bytes;
  }
}
