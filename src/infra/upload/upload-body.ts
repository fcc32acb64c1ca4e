import { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';

export interface UploadBodyLimits {
  readonly maxFileBytes: number;
  /** Of everything beside the file: text parts, part headers, boundaries. */
  readonly maxFormBytes: number;
  /** Longest time without a byte while we are waiting for one. */
  readonly idleMs: number;
}

/**
 * A request's body for a multipart parser that expects a request: the same bytes and `headers`, but bounded in length and in
 * silence, and ended at once by a client that goes away. It is what lets the service do without a limit on the time of a
 * whole upload (Node's `requestTimeout`, 300 s by default, would cut slow ones).
 *
 * Errors: `payload_too_large`; `invalid_input` with reason `upload_stalled` or `upload_aborted`.
 */
export class UploadBody extends Readable {
  readonly headers: IncomingMessage['headers'];
  private receivedBytes = 0;
  private silence: NodeJS.Timeout | undefined;
  private readonly detach: () => void;

  constructor(
    private readonly request: IncomingMessage,
    private readonly limits: UploadBodyLimits,
  ) {
    super();
    this.headers = request.headers;
    const onData = (chunk: Buffer): void => this.accept(chunk);
    const onEnd = (): void => {
      // What was received may still wait for the store when the request's own `close` comes.
      this.detach();
      this.stopWaiting();
      this.push(null);
    };
    const onGone = (): void => void this.destroy(gone());
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
    request.pause();
    this.detach = () => request.off('data', onData).off('end', onEnd).off('close', onGone);
  }

  override _read(): void {
    this.silence ??= setTimeout(() => this.destroy(stalled(this.limits.idleMs)), this.limits.idleMs);
    this.request.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.stopWaiting();
    this.detach();
    this.request.pause();
    done(error);
  }

  /**
   * Multer lets go of the body in two cases: it has read it, or it has found a mistake and would now read and drop the rest,
   * however long, before it reports. There is no rest for it.
   */
  override unpipe(destination?: NodeJS.WritableStream): this {
    super.unpipe(destination);
    this.destroy();
    return this;
  }

  private accept(chunk: Buffer): void {
    this.receivedBytes += chunk.length;
    if (this.receivedBytes > this.limits.maxFileBytes + this.limits.maxFormBytes) {
      this.destroy(artifactTooLarge(this.limits.maxFileBytes));
    } else if (this.push(chunk)) {
      this.silence?.refresh();
    } else {
      // The store is slower than the client: not the client's silence.
      this.stopWaiting();
      this.request.pause();
    }
  }

  private stopWaiting(): void {
    clearTimeout(this.silence);
    this.silence = undefined;
  }
}

export const artifactTooLarge = (maxFileBytes: number): AppError =>
  new AppError('payload_too_large', {
    message: `The file is larger than the ${maxFileBytes} bytes allowed here.`,
    details: { max_bytes: maxFileBytes },
  });

const stalled = (idleMs: number): AppError =>
  AppError.invalidInput('upload_stalled', `No byte arrived for ${idleMs / 1000} seconds. Upload again.`);

const gone = (): AppError =>
  AppError.invalidInput('upload_aborted', 'The client went away before the upload was complete.');
