import { MessageChannel } from 'node:worker_threads';
import { AppError } from '#kernel/errors/app-error';

/** The interval between two checks of the waiting writers. */
const TICK_MS = 1_000;
/** A writer that has held a block this long is cut off when another writer has waited for `WAIT_MS`. */
const HOLD_MS = 30_000;
const WAIT_MS = 10_000;
/** Free blocks are dropped when no writer has used any block for this long. */
const FREE_MS = 10_000;

export interface BlockPoolOptions {
  readonly blockBytes: number;
  /** The maximum number of blocks in use, by all writers together. */
  readonly blocks: number;
  /** Makes the memory of a block. Default: that of any Buffer. */
  readonly allocate?: (bytes: number) => Buffer;
  /** Called after blocks were dropped, when none is in use. */
  readonly onTrim?: () => void;
}

/** A writer that holds or wants blocks. */
export interface BlockHolder {
  /** Ends the writer, because other writers wait for the block that it has held for too long. It returns the block. */
  cutOff(block: Buffer): void;
}

interface Loan {
  readonly holder: BlockHolder;
  readonly since: number;
}

interface Request {
  readonly holder: BlockHolder;
  readonly since: number;
  readonly grant: (block: Buffer) => void;
}

/**
 * A budget of memory blocks that all writers of this process share. A writer takes a block when it has bytes for it, and returns it when
 * the bytes are stored. When all blocks are in use, writers wait in order of their requests and read no more bytes from their clients. A
 * writer that keeps a block for too long is cut off, so that clients that stall cannot stop the uploads of others.
 */
export class BlockPool {
  readonly blockBytes: number;
  /** The most recently used block is the last, and the first that is used again: it is still in the CPU cache. */
  private free: Buffer[] = [];
  /** The blocks in use, the one that has been in use longest first. */
  private readonly loans = new Map<Buffer, Loan>();
  private waiting: Request[] = [];
  private usedAt = 0;
  /** Whether blocks were dropped or are free since the last trim. */
  private hasGarbage = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: BlockPoolOptions) {
    this.blockBytes = options.blockBytes;
  }

  /** The number of blocks in use. */
  get inUse(): number {
    return this.loans.size;
  }

  /** Lends a block if one is available and no other writer waits. */
  tryTake(holder: BlockHolder): Buffer | undefined {
    return this.waiting.length > 0 || this.inUse >= this.options.blocks ? undefined : this.lend(holder);
  }

  /**
   * Waits for a block. @param grant receives it, immediately or later.
   * @returns a function that cancels the request.
   */
  request(holder: BlockHolder, grant: (block: Buffer) => void): () => void {
    const request = { holder, since: performance.now(), grant };
    this.waiting.push(request);
    this.serve();
    return () => void (this.waiting = this.waiting.filter((each) => each !== request));
  }

  /**
   * Ends a loan.
   * @param reusable whether other writers may use the memory. False when a request that was given the block may still be reading it, and
   * for stores that must not see bytes of others.
   */
  giveBack(block: Buffer, reusable: boolean): void {
    if (!this.loans.delete(block)) return;
    if (reusable) this.free.push(block);
    this.hasGarbage = true;
    this.usedAt = performance.now();
    this.serve();
  }

  /** Drops the free blocks. `onTrim` is not called: the application has stopped, and in tests its process continues without it. */
  close(): void {
    this.free = [];
    this.hasGarbage = false;
  }

  private serve(): void {
    while (this.inUse < this.options.blocks) {
      const next = this.waiting.shift();
      if (!next) break;
      next.grant(this.lend(next.holder));
    }
    if (this.waiting.length > 0 || this.hasGarbage) this.timer ??= setInterval(() => this.tick(), TICK_MS).unref();
  }

  private lend(holder: BlockHolder): Buffer {
    const block = this.free.pop() ?? this.allocate();
    this.loans.set(block, { holder, since: performance.now() });
    return block;
  }

  private allocate(): Buffer {
    return this.options.allocate?.(this.blockBytes) ?? Buffer.allocUnsafeSlow(this.blockBytes);
  }

  private tick(): void {
    const now = performance.now();
    const [first] = this.waiting;
    const [longest] = this.loans;
    if (first && longest && now - first.since >= WAIT_MS && now - longest[1].since >= HOLD_MS) {
      const [block, { holder }] = longest;
      holder.cutOff(block);
    }
    if (this.hasGarbage && this.inUse === 0 && now - this.usedAt >= FREE_MS) {
      this.free = [];
      this.hasGarbage = false;
      this.options.onTrim?.();
    }
    if (this.waiting.length > 0 || this.hasGarbage) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** The error of a writer that was cut off while its source was filling the block. */
export const sourceTooSlow = (): AppError =>
  AppError.invalidInput(
    'upload_too_slow',
    'The file arrived too slowly while other uploads waited for memory. Upload it in parts: POST /api/v1/builds/uploads.',
  );

/**
 * Memory that starts at a page, as direct I/O requires: V8 gives resizable buffers pages of their own. Libraries that implement web APIs
 * reject such a buffer.
 */
export const pageAligned = (bytes: number): Buffer =>
  Buffer.from(new ArrayBuffer(bytes, { maxByteLength: bytes }), 0, bytes);

/** Smaller chunks cost more to free than they occupy. */
const MIN_FREED_BYTES = 16 * 1024;

/** A closed port. It drops messages, together with the memory that they transfer. */
const { port1: dropped } = new MessageChannel();
dropped.close();

/**
 * Frees the memory of a chunk immediately; its length is 0 afterwards. For each chunk, Node copies what a socket received to new memory. V8
 * frees that memory with the next garbage collection, after some 32 MB of chunks.
 *
 * Does nothing to a chunk that is a part of its `ArrayBuffer`: the rest may be in use. When a chunk fills its `ArrayBuffer`, every parser
 * before has passed it on as a whole, so no other code uses that memory.
 */
export function freeChunk({ buffer, byteLength }: Buffer): void {
  if (byteLength >= MIN_FREED_BYTES && byteLength === buffer.byteLength)
    dropped.postMessage(null, [buffer as ArrayBuffer]);
}
