import { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AppError, fileTooLarge } from '#kernel/errors/app-error';

/** The window over which the rate of a client is averaged, and the slices in which it moves. */
const RATE_WINDOW_MS = 60_000;
const RATE_SLICES = 6;
const RATE_SLICE_MS = RATE_WINDOW_MS / RATE_SLICES;

export interface UploadBodyLimits {
  readonly maxFileBytes: number;
  /** Limit of everything beside the file: text parts, part headers, boundaries. */
  readonly maxFormBytes: number;
  /** Longest time without a byte while this stream waits for one. */
  readonly idleMs: number;
  /** Minimum rate of the client, averaged over one minute of reading. Absent or 0: none. */
  readonly minBytesPerSecond?: number | undefined;
}

/**
 * A request's body with limits: on its length, its rate, and the time without a byte. It fails as soon as the client disconnects. It
 * has `headers`, so that Multer accepts it in place of the request.
 *
 * The idle limit and the rate replace a limit on the time of a whole upload: Node's `requestTimeout` (300 s by default) would end slow
 * uploads.
 *
 * Fails with `payload_too_large`, or `invalid_input` with reason `upload_stalled`, `upload_too_slow` or `upload_aborted`.
 */
export class UploadBody extends Readable {
  readonly headers: IncomingMessage['headers'];
  private receivedBytes = 0;
  private idleTimer: NodeJS.Timeout | undefined;
  private readonly rate: TransferRate;
  private readonly rateTimer: NodeJS.Timeout | undefined;
  private readonly detach: () => void;

  constructor(
    private readonly request: IncomingMessage,
    private readonly limits: UploadBodyLimits,
  ) {
    super();
    this.headers = request.headers;
    const { minBytesPerSecond = 0 } = limits;
    this.rate = new TransferRate(minBytesPerSecond);
    if (minBytesPerSecond > 0) this.rateTimer = setInterval(() => this.checkRate(), RATE_SLICE_MS);
    const onData = (chunk: Buffer): void => this.accept(chunk);
    const onEnd = (): void => {
      // The store may still read what was received when the request emits `close`.
      this.detach();
      this.stopTimers();
      this.push(null);
    };
    const onClosed = (): void => void this.destroy(uploadAborted());
    request.on('data', onData).on('end', onEnd).on('close', onClosed).on('error', onClosed);
    request.pause();
    this.detach = () => request.off('data', onData).off('end', onEnd).off('close', onClosed);
  }

  override _read(): void {
    // The client may have disconnected before this stream listened.
    if (this.request.destroyed) return void this.destroy(uploadAborted());
    this.idleTimer ??= setTimeout(() => this.destroy(stalled(this.limits.idleMs)), this.limits.idleMs);
    this.rate.start(performance.now());
    this.request.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.stopTimers();
    this.detach();
    this.request.pause();
    done(error);
  }

  /**
   * Multer unpipes the body when it has read all of it, or when it has found an error. After an error Multer would read and
   * discard the rest of the body before it reports the error; ending the stream here makes it report immediately.
   */
  override unpipe(destination?: NodeJS.WritableStream): this {
    super.unpipe(destination);
    this.destroy();
    return this;
  }

  private accept(chunk: Buffer): void {
    this.receivedBytes += chunk.length;
    this.rate.add(chunk.length);
    if (this.receivedBytes > this.limits.maxFileBytes + this.limits.maxFormBytes) {
      this.destroy(fileTooLarge(this.limits.maxFileBytes));
    } else if (this.push(chunk)) {
      this.idleTimer?.refresh();
    } else {
      // The store is slower than the client, so the client is not idle.
      this.stopIdleTimer();
      this.rate.pause(performance.now());
      this.request.pause();
    }
  }

  private checkRate(): void {
    if (this.rate.isTooSlow(performance.now())) this.destroy(tooSlow(this.limits.minBytesPerSecond ?? 0));
  }

  private stopTimers(): void {
    this.stopIdleTimer();
    clearInterval(this.rateTimer);
  }

  private stopIdleTimer(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = undefined;
  }
}

/**
 * Measures the average rate at which a client sends, over the last minute in which it could send. The time during which the service
 * does not read, because the store or memory is not available, does not count.
 */
export class TransferRate {
  /** The bytes of the last complete slices, the oldest first. */
  private slices: number[] = [];
  private sliceBytes = 0;
  private sliceMs = 0;
  private readingSince: number | undefined;

  constructor(private readonly minBytesPerSecond: number) {}

  /** The service reads from the client. */
  start(now: number): void {
    this.readingSince ??= now;
  }

  /** The service does not read from the client. */
  pause(now: number): void {
    this.advance(now);
    this.readingSince = undefined;
  }

  add(bytes: number): void {
    this.sliceBytes += bytes;
  }

  /** Whether the client was slower than the minimum over a whole window. Call it at least once per slice. */
  isTooSlow(now: number): boolean {
    this.advance(now);
    const bytes = this.slices.reduce((sum, each) => sum + each, 0);
    return this.slices.length === RATE_SLICES && bytes < (this.minBytesPerSecond * RATE_WINDOW_MS) / 1000;
  }

  private advance(now: number): void {
    if (this.readingSince === undefined) return;
    this.sliceMs += now - this.readingSince;
    this.readingSince = now;
    if (this.sliceMs < RATE_SLICE_MS) return;
    this.slices = [...this.slices, this.sliceBytes].slice(-RATE_SLICES);
    this.sliceBytes = 0;
    this.sliceMs = 0;
  }
}

const stalled = (idleMs: number): AppError =>
  AppError.invalidInput('upload_stalled', `No byte arrived for ${idleMs / 1000} seconds. Upload again.`);

const tooSlow = (minBytesPerSecond: number): AppError =>
  AppError.invalidInput(
    'upload_too_slow',
    `Fewer than ${minBytesPerSecond} bytes per second arrived for a minute. Upload the file in parts: POST /api/v1/builds/uploads.`,
  );

/** The client disconnected during an upload. */
export const uploadAborted = (): AppError =>
  AppError.invalidInput('upload_aborted', 'The client disconnected before the upload was complete.');
