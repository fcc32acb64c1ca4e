import { ApiError } from '../api-error';
import { type ResumableUploadResponse, type StartUploadRequest, type UploadedBuildResponse } from '../generated';
import { Gate } from './gate';
import { type Network, type PartSender } from './part-sender';
import { type Hindrance, PartTransfer } from './part-transfer';
import { fewRetries, isTransient, type Retries, type Sleep, sleep } from './retries';
import { SendingSlots } from './sending-slots';
import { UploadApi, type UploadApiOptions } from './upload-api';

/**
 * `waiting`: not begun. `sending`: begins, or sends parts. `paused` and `offline`: sends no further part. `reading`: the service reads the
 * file. `done`: the build exists. `failed`: see `error`. `discarded`: dropped, also at the service.
 */
export type UploadState = 'waiting' | 'sending' | 'paused' | 'offline' | 'reading' | 'done' | 'failed' | 'discarded';

/** The state of an upload. A new object after each change. */
export interface UploadSnapshot {
  readonly state: UploadState;
  /** The id at the service; null until the upload has begun. */
  readonly uploadId: string | null;
  /** Bytes that have arrived or are being sent. The number never decreases while an upload is sent. */
  readonly sentBytes: number;
  /** Whether bytes are being sent now. */
  readonly isFlowing: boolean;
  readonly build: UploadedBuildResponse | null;
  /** Why it failed: an ApiError, a FileUnreadableError or an unexpected error. Null in every other state. */
  readonly error: unknown;
}

export interface ResumableUploadOptions extends UploadApiOptions {
  readonly file: { readonly name: string; readonly size: number };
  readonly sender: PartSender;
  /** Creates a UUID. */
  readonly newKey: () => string;
  /** The upload to continue. Null starts a new one. */
  readonly uploadId?: string | null | undefined;
  readonly network?: Network | undefined;
  /** Shared by all uploads of a client. */
  readonly slots?: SendingSlots | undefined;
  readonly sleep?: Sleep | undefined;
  /** Decides for each request and each part whether it is retried. Default: a few retries. */
  readonly newRetries?: (() => Retries) | undefined;
  /** The number of parts of this upload that are sent at the same time. Default: the first part alone, then two on slow lines, else three. */
  readonly parallel?: number | undefined;
  /**
   * Called when the upload no longer exists at the service: it expired, was dropped, or its parts were lost. A new upload then sends the
   * whole file, at most once. Without this function, the upload fails.
   */
  readonly onLost?: (() => void) | undefined;
}

/** The fields of a build that are sent when the upload begins. */
export type UploadFields = Omit<StartUploadRequest, 'file_name' | 'size_bytes'>;

const INITIAL: UploadSnapshot = {
  state: 'waiting',
  uploadId: null,
  sentBytes: 0,
  isFlowing: false,
  build: null,
  error: null,
};

/** The maximum number of completions. Before each but the first, the parts are sent that the service found missing. */
const MAX_ROUNDS = 3;

/** An upload in parts that survives interruptions: it starts, sends the missing parts and completes. It can be paused. */
export class ResumableUpload {
  private current: UploadSnapshot;
  private readonly listeners = new Set<() => void>();
  private readonly aborter = new AbortController();
  private readonly gate = new Gate<Hindrance>();
  private readonly api: UploadApi;
  private readonly transfer: PartTransfer;
  private readonly sleep: Sleep;
  private readonly newRetries: () => Retries;
  private phase: 'waiting' | 'sending' | 'reading' | 'done' | 'failed' | 'discarded' = 'waiting';
  private fields: UploadFields = {};
  private key: string;
  private running: Promise<void> = Promise.resolve();
  private dropping: Promise<void> | undefined;
  private wasLost = false;
  private stopWatchingNetwork = (): void => undefined;

  constructor(private readonly options: ResumableUploadOptions) {
    this.current = { ...INITIAL, uploadId: options.uploadId ?? null };
    this.key = options.newKey();
    this.api = new UploadApi(options);
    this.sleep = options.sleep ?? sleep;
    this.newRetries = options.newRetries ?? fewRetries;
    this.transfer = new PartTransfer({
      api: this.api,
      sender: options.sender,
      slots: options.slots ?? new SendingSlots(options.parallel),
      gate: this.gate,
      sleep: this.sleep,
      newRetries: this.newRetries,
      parallel: options.parallel,
      signal: this.aborter.signal,
      changed: () => this.update({}),
    });
  }

  get snapshot(): UploadSnapshot {
    return this.current;
  }

  /** Calls the listener after each change. Returns the function that ends this. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Starts, or starts again after a failure. Does nothing while it runs or after it has ended. */
  start(fields: UploadFields = this.fields): void {
    if (this.phase !== 'waiting' && this.phase !== 'failed') return;
    this.fields = fields;
    this.phase = 'sending';
    this.watchNetwork();
    this.update({ error: null });
    this.running = this.run();
  }

  /** Sends no further part. Running parts continue. */
  pause(): void {
    this.hinder('paused', true);
  }

  resume(): void {
    this.hinder('paused', false);
  }

  /** Stops immediately, and resolves when the upload is dropped at the service. Not possible while the service reads the file. */
  discard(): Promise<void> {
    if (this.phase === 'done' || this.phase === 'reading') return Promise.resolve();
    this.dropping ??= this.drop();
    return this.dropping;
  }

  /** Stops immediately. The upload stays at the service, and another one can continue it. Parts that have arrived are kept. */
  async leave(): Promise<void> {
    if (this.phase !== 'sending' && this.phase !== 'reading') return;
    this.aborter.abort();
    await this.running;
  }

  /** Resolves when the upload has ended: done, failed or discarded. */
  async settled(): Promise<UploadSnapshot> {
    await this.running;
    return this.current;
  }

  private async drop(): Promise<void> {
    this.phase = 'discarded';
    this.aborter.abort();
    this.update({ error: null });
    await this.running;
    const { uploadId } = this.current;
    // If this request fails, the upload expires a day later.
    if (uploadId !== null) await this.api.drop(uploadId).catch(() => undefined);
  }

  private async run(): Promise<void> {
    try {
      const build = await this.sendAndComplete();
      if (this.phase === 'discarded') return;
      this.phase = 'done';
      this.update({ build, sentBytes: this.options.file.size });
    } catch (error) {
      if (this.phase !== 'discarded') this.fail(error);
    } finally {
      this.stopWatchingNetwork();
    }
  }

  private async sendAndComplete(): Promise<UploadedBuildResponse> {
    try {
      return await this.sendOnce();
    } catch (error) {
      const { onLost } = this.options;
      if (!onLost || this.wasLost || this.current.uploadId === null || !isGone(error)) throw error;
      this.wasLost = true;
      this.phase = 'sending';
      this.forget();
      this.update({});
      onLost();
      return this.sendOnce();
    }
  }

  private async sendOnce(): Promise<UploadedBuildResponse> {
    let upload = await this.persistently(() => this.begun());
    this.update({ uploadId: upload.id });
    for (let round = 1; ; round++) {
      if (upload.state === 'open') await this.sendMissing(upload);
      await this.gate.passed(this.aborter.signal);
      this.phase = 'reading';
      this.update({});
      try {
        return await this.persistently(() => this.api.complete(upload.id, this.aborter.signal));
      } catch (error) {
        const again = withMissingParts(upload, error);
        if (!again || round === MAX_ROUNDS) throw error;
        upload = again;
        this.phase = 'sending';
        this.update({});
      }
    }
  }

  /** Another client with the same file may have completed the upload in the meantime. */
  private async sendMissing(upload: ResumableUploadResponse): Promise<void> {
    try {
      await this.transfer.sendMissing(upload);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
      const { state } = await this.persistently(() => this.api.get(upload.id, this.aborter.signal));
      if (state === 'open') throw error;
    }
  }

  /** The start is not aborted: whether the service has begun the upload would remain unknown. */
  private begun(): Promise<ResumableUploadResponse> {
    const { uploadId } = this.current;
    if (uploadId !== null) return this.api.get(uploadId, this.aborter.signal);
    const { name, size } = this.options.file;
    return this.api.start({ ...this.fields, file_name: name, size_bytes: size }, this.key);
  }

  /** Repeats a request while its error is transient. Waiting for the network does not count as an attempt. */
  private async persistently<Result>(request: () => Promise<Result>): Promise<Result> {
    const pauseBeforeRetry = this.newRetries();
    for (;;) {
      await this.gate.passed(this.aborter.signal);
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof ApiError) || !isTransient(error)) throw error;
        if (this.gate.isClosedBy('offline')) continue;
        const pause = pauseBeforeRetry(error);
        if (pause === null) throw error;
        await this.sleep(pause, this.aborter.signal);
      }
    }
  }

  private fail(error: unknown): void {
    const wasReading = this.phase === 'reading';
    this.phase = 'failed';
    if (!hasEnded(error, wasReading)) return this.update({ error });
    this.forget();
    this.update({ error });
  }

  /** The upload no longer exists at the service, so the next start creates another one. */
  private forget(): void {
    this.key = this.options.newKey();
    this.transfer.reset();
    this.current = { ...this.current, sentBytes: 0, uploadId: null };
  }

  private hinder(reason: Hindrance, hinders: boolean): void {
    this.gate.set(reason, hinders);
    this.update({});
  }

  private watchNetwork(): void {
    const { network } = this.options;
    if (!network) return;
    const look = (): void => this.hinder('offline', !network.isOnline());
    this.stopWatchingNetwork();
    this.stopWatchingNetwork = network.subscribe(look);
    look();
  }

  private update(changes: Partial<UploadSnapshot>): void {
    const isSent = this.phase === 'sending' || this.phase === 'reading';
    const next: UploadSnapshot = {
      ...this.current,
      sentBytes: Math.max(this.current.sentBytes, isSent ? this.transfer.sentBytes : 0),
      isFlowing: this.transfer.underway > 0,
      ...changes,
      state: this.state(),
    };
    if (isUnchanged(this.current, next)) return;
    this.current = next;
    for (const listener of [...this.listeners]) listener();
  }

  private state(): UploadState {
    if (this.phase !== 'sending' && this.phase !== 'reading') return this.phase;
    if (this.phase === 'sending' && this.gate.isClosedBy('paused')) return 'paused';
    return this.gate.isClosedBy('offline') ? 'offline' : this.phase;
  }
}

const isUnchanged = (a: UploadSnapshot, b: UploadSnapshot): boolean =>
  (Object.keys(b) as (keyof UploadSnapshot)[]).every((name) => a[name] === b[name]);

/** The upload with the parts that the service lacks; null for every other error. */
function withMissingParts(upload: ResumableUploadResponse, error: unknown): ResumableUploadResponse | null {
  const reason = error instanceof ApiError ? error.reason : null;
  if (!(error instanceof ApiError) || (reason !== 'parts_missing' && reason !== 'parts_mismatch')) return null;
  const missing = error.details['missing_parts'];
  const isMissing = (number: number): boolean => !Array.isArray(missing) || missing.includes(number);
  const parts = upload.parts.map((part) => ({ ...part, arrived: !isMissing(part.part_number) }));
  return { ...upload, state: 'open', parts };
}

/** Whether the upload no longer exists at the service: it expired, was dropped, or its parts were lost. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found';

/** Whether the upload no longer exists at the service: it is gone, or its file was rejected. */
const hasEnded = (error: unknown, wasReading: boolean): boolean =>
  error instanceof ApiError &&
  (isGone(error) ||
    (wasReading &&
      error.code === 'invalid_input' &&
      !['parts_missing', 'parts_mismatch'].includes(error.reason ?? '')));
