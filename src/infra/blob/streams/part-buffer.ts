import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#kernel/errors/app-error';
import { type BlobWriteOptions, type UploadPart } from '../blob-store';
import { partSizeMismatch, rejectLonger } from '../part-uploads';
import { storeUnavailable } from '../store-errors';
import { type BlockHolder, type BlockPool, freeChunk } from './block-pool';
import { type BlockSupply } from './block-writer';

/** The source of the memory for a part. */
export interface PartSupply extends BlockSupply {
  /** For parts that are longer than a block of `pool`. */
  readonly largeParts: BlockPool;
}

/**
 * Reads a part into memory and sends it, for providers that need the length and the hash first, and may have to send the part twice. Waits
 * while the memory of all uploads is in use; the client is not read until then. Destroys `source` when it rejects.
 * @param send sends the bytes. Does not use them after it has settled, or after `signal` has aborted.
 * @throws AppError invalid_input `part_size_mismatch`; `upload_too_slow` when the part arrived slowly while other uploads waited.
 */
export async function sendBufferedPart(
  part: UploadPart,
  source: Readable,
  { options = {}, blocks }: { readonly options: BlobWriteOptions | undefined; readonly blocks: PartSupply },
  send: (bytes: Buffer, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const { signal } = options;
  const buffer = new PartBuffer(part.sizeBytes > blocks.pool.blockBytes ? blocks.largeParts : blocks.pool, source);
  let isSent = false;
  try {
    signal?.throwIfAborted();
    const bytes = await buffer.fill(part, options);
    await buffer.send((ended) => send(bytes, signal ? AbortSignal.any([signal, ended]) : ended));
    isSent = true;
  } catch (error) {
    source.destroy();
    signal?.throwIfAborted();
    throw error;
  } finally {
    // After an error, a request may still be reading the block.
    buffer.giveBack(isSent && blocks.shared);
  }
}

/** One block of the pool that holds one part. */
class PartBuffer implements BlockHolder {
  private readonly ended = new AbortController();
  private block: Buffer | undefined;
  private isSending = false;

  constructor(
    private readonly pool: BlockPool,
    private readonly source: Readable,
  ) {}

  cutOff(): void {
    if (this.isSending) this.ended.abort();
    else this.source.destroy(partTooSlow());
  }

  /** @returns the bytes of the part, in the memory of the block. */
  async fill(part: UploadPart, options: BlobWriteOptions): Promise<Buffer> {
    const { signal, freesChunks } = options;
    const block = (this.block = this.pool.tryTake(this) ?? (await this.granted(signal)));
    const onChunk = rejectLonger(part, options);
    let filled = 0;
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        try {
          onChunk(chunk);
          filled += chunk.copy(block, filled);
          if (freesChunks) freeChunk(chunk);
          done();
        } catch (error) {
          done(error as Error);
        }
      },
    });
    if (this.source.errored) throw this.source.errored;
    await pipeline(this.source, sink, { signal });
    if (filled !== part.sizeBytes) throw partSizeMismatch(part);
    return block.subarray(0, filled);
  }

  async send(sending: (ended: AbortSignal) => Promise<unknown>): Promise<void> {
    this.isSending = true;
    try {
      await sending(this.ended.signal);
    } catch (error) {
      throw this.ended.signal.aborted ? storeTooSlow() : error;
    }
  }

  giveBack(reusable: boolean): void {
    if (this.block) this.pool.giveBack(this.block, reusable);
    this.block = undefined;
  }

  /** Waits for a block, until the source fails. */
  private granted(signal: AbortSignal | undefined): Promise<Buffer> {
    const { source } = this;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        cancel();
        signal?.removeEventListener('abort', failed);
        source.off('error', failed).off('close', failed);
      };
      const failed = (): void => {
        stop();
        reject(source.errored ?? (signal?.reason as Error | undefined) ?? new Error('the source was closed'));
      };
      let cancel = (): void => undefined;
      signal?.addEventListener('abort', failed);
      source.once('error', failed).once('close', failed);
      cancel = this.pool.request(this, (block) => {
        stop();
        resolve(block);
      });
    });
  }
}

const partTooSlow = (): AppError =>
  AppError.invalidInput(
    'upload_too_slow',
    'The part arrived too slowly while other uploads waited for memory. Send it again, and fewer parts at the same time.',
  );

const storeTooSlow = (): AppError =>
  storeUnavailable({ code: 'ETIMEDOUT', status: undefined, message: 'The store is too slow' }, {});
