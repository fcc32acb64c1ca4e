import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import {
  ApiError,
  type Client,
  FileUnreadableError,
  type OutgoingPart,
  type PartSender,
  ResumableUpload,
  type ResumableUploadResponse,
  toApiError,
  type UploadedBuildResponse,
  type UploadFields,
} from '@agate/client';
import { type Context } from '../context';
import { derivedKey } from '../network/derived-key';
import { withTimeLimit } from '../network/time-limit';
import { interruptedError, usageError } from '../output/cli-error';
import { Progress, sizeOf } from '../output/progress';
import { type ProjectScope } from '../settings/scope';
import { hashOf, type LocalFile } from './local-file';

export interface FileUploadOptions {
  /** The number of parts that are sent at the same time. */
  readonly parallel: number;
  /** Starts a new upload, even when the same file was uploaded before. */
  readonly isNew: boolean;
  /** Drops the upload at the service when it is interrupted. */
  readonly drops: boolean;
}

/** The build that a file has become, and how. */
export interface FileUploadResult {
  readonly build: UploadedBuildResponse;
  /** Whether an earlier run had sent parts of the file. */
  readonly resumed: boolean;
  /** Whether an earlier run had already made the build. */
  readonly replayed: boolean;
  readonly sentBytes: number;
}

/** Uploads one file in parts. Parts that an interrupted run has sent are not sent again, even from another machine. */
export class FileUpload {
  private constructor(
    private readonly context: Context,
    private readonly client: Client,
    private readonly scope: ProjectScope,
    private readonly file: LocalFile,
    private readonly options: FileUploadOptions,
  ) {}

  /** @throws ApiError, or CliError when the file cannot be read or the process is interrupted. */
  static async run(
    context: Context,
    file: LocalFile,
    fields: UploadFields,
    options: FileUploadOptions,
  ): Promise<FileUploadResult> {
    const [client, scope] = await Promise.all([context.client(), context.scope()]);
    return new FileUpload(context, client, scope, file, options).run(fields);
  }

  private async run(given: UploadFields): Promise<FileUploadResult> {
    const fields = { ...given, sha256: await this.hash() };
    for (const key of await this.keys(fields)) {
      const upload = await this.begin(fields, key);
      if (!upload) continue;
      const isComplete = upload.state === 'complete';
      const build = isComplete ? await this.completed(upload) : null;
      if (build) return { build, resumed: false, replayed: true, sentBytes: 0 };
      if (!isComplete) return this.send(upload, fields);
    }
    throw new ApiError(404, 'not_found', 'The upload was dropped while it was sent. Upload the file again.');
  }

  private async hash(): Promise<string> {
    const { context, file } = this;
    const progress = new Progress(context.output, { title: `Reading ${file.name}`, total: file.size, now: nowMs });
    try {
      return await hashOf(file, context.signal, (bytes) => progress.report(bytes));
    } finally {
      progress.end();
    }
  }

  /** The key of an earlier run with the same file and fields, then a key that no run has used. */
  private async keys(fields: UploadFields): Promise<string[]> {
    if (this.options.isNew) return [randomUUID()];
    const { token } = await this.context.settings();
    return [derivedKey(token?.slice(-4), this.scope, this.file.name, this.file.size, fields), randomUUID()];
  }

  /** The upload that was started with the key, now or earlier. Null when the earlier one no longer exists. */
  private async begin(fields: UploadFields, key: string): Promise<ResumableUploadResponse | null> {
    const { client, scope, file } = this;
    const body = { ...fields, file_name: file.name, size_bytes: file.size };
    const headers = { 'Idempotency-Key': key };
    const { id } = await client.request('POST /builds/uploads', { query: scope, body, headers });
    // The response to a repeated start does not list the parts that have arrived since.
    return unlessGone(client.request('GET /builds/uploads/{upload_id}', { path: { upload_id: id }, query: scope }));
  }

  /** The build that an earlier run has made. Null when it was deleted. */
  private completed({ id }: ResumableUploadResponse): Promise<UploadedBuildResponse | null> {
    const { client, scope } = this;
    return unlessGone(
      client.request('POST /builds/uploads/{upload_id}/complete', { path: { upload_id: id }, query: scope }),
    );
  }

  private async send(upload: ResumableUploadResponse, fields: UploadFields): Promise<FileUploadResult> {
    const { context, file } = this;
    const arrived = upload.parts.filter((part) => part.arrived).length;
    if (arrived > 0) context.output.say(`Resuming: ${arrived} of ${upload.part_count} parts have arrived.`);
    const progress = this.progressOf(upload);
    const sender = new FileSender({
      file: await openAsBlob(file.path),
      fileName: file.name,
      arrived: () => progress.partArrived(),
      debug: (text) => context.output.debug(text),
    });
    let resumed = arrived > 0;
    const engine = await this.engineOf(upload, sender, () => {
      resumed = false;
      progress.restarted();
      context.output.say(`The service no longer has what was sent of ${file.name}. Starting a new upload.`);
    });
    engine.subscribe(() => progress.show(engine.snapshot.sentBytes, engine.snapshot.state === 'reading'));
    try {
      const build = await this.settle(engine, fields);
      return { build, resumed, replayed: false, sentBytes: sender.sentBytes };
    } finally {
      progress.end();
    }
  }

  private async engineOf(
    { id }: ResumableUploadResponse,
    sender: FileSender,
    onLost: () => void,
  ): Promise<ResumableUpload> {
    const { context, scope, file, options } = this;
    return new ResumableUpload({
      client: await context.clientWithoutRetries(),
      scope,
      sender,
      file,
      uploadId: id,
      newKey: randomUUID,
      newRetries: context.retryPolicy.newRetries,
      parallel: options.parallel,
      onLost,
    });
  }

  private async settle(engine: ResumableUpload, fields: UploadFields): Promise<UploadedBuildResponse> {
    const { context, file, options } = this;
    const stop = (): void => {
      // An upload that the service is reading can no longer be dropped.
      const drops = options.drops && engine.snapshot.state !== 'reading';
      void (drops ? engine.discard() : engine.leave());
    };
    context.signal.addEventListener('abort', stop, { once: true });
    engine.start(fields);
    if (context.signal.aborted) stop();
    const { build, error } = await engine.settled();
    context.signal.removeEventListener('abort', stop);
    if (build) return build;
    if (context.signal.aborted) {
      const isDropped = engine.snapshot.state === 'discarded';
      // Dropping is a separate request, which may still run.
      if (isDropped) await engine.discard();
      throw interruptedError(
        isDropped
          ? `Interrupted. The upload of ${file.name} was dropped.`
          : `Interrupted. What was sent of ${file.name} is kept for a day. Run the same command to continue.`,
      );
    }
    if (error instanceof FileUnreadableError) throw usageError(`${error.message} Upload it when it is complete.`);
    throw error;
  }

  private progressOf(upload: ResumableUploadResponse): PartsProgress {
    const done = upload.parts.reduce((sum, part) => sum + (part.arrived ? part.size_bytes : 0), 0);
    const title = `Sending ${this.file.name}`;
    const { output } = this.context;
    output.say(`${title} (${sizeOf(this.file.size)}).`);
    const progress = new Progress(output, { title, total: this.file.size, done, now: nowMs });
    let parts = upload.parts.filter((part) => part.arrived).length;
    return {
      partArrived: () => (parts += 1),
      restarted: () => (parts = 0),
      show: (bytes, isReading) => {
        if (isReading) output.status('The service reads the file.');
        else progress.report(bytes, `${parts} of ${upload.part_count} parts`);
      },
      end: () => progress.end(),
    };
  }
}

interface PartsProgress {
  readonly partArrived: () => void;
  readonly restarted: () => void;
  readonly show: (bytes: number, isReading: boolean) => void;
  readonly end: () => void;
}

const nowMs = (): number => performance.now();

async function unlessGone<Result>(request: Promise<Result>): Promise<Result | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}

/** The slowest transfer rate at which a part can arrive, in bytes per second, and the minimum time for a part. */
const SLOWEST_BYTES_PER_SECOND = 20_000;
const MIN_TIMEOUT_MS = 120_000;

interface FileSenderOptions {
  readonly file: Blob;
  readonly fileName: string;
  /** Called when a part has arrived. */
  readonly arrived: () => void;
  readonly debug: (text: string) => void;
}

/** Sends ranges of a file. They are read as they are sent, and their length is known, which stores demand. */
export class FileSender implements PartSender {
  /** The number of sent bytes. Bytes that were sent again count again. */
  sentBytes = 0;

  constructor(private readonly options: FileSenderOptions) {}

  async send({ url, start, end, signal, onProgress }: OutgoingPart): Promise<ApiError | null> {
    const { file, fileName, arrived, debug } = this.options;
    this.sentBytes += end - start;
    try {
      const body = file.slice(start, end);
      const failure = await withTimeLimit(signal, timeoutOf(end - start), async (limited) => {
        const response = await fetch(url, { method: 'PUT', body, signal: limited });
        debug(`PUT ${url} ${response.status}`);
        if (!response.ok) return toApiError(response);
        await response.arrayBuffer();
        return null;
      });
      if (failure) return failure;
    } catch (error) {
      if (signal.aborted) throw error;
      if (isUnreadable(error)) throw new FileUnreadableError(`${fileName} changed while it was sent.`);
      debug(`PUT ${url} failed: ${String(error instanceof Error && error.cause ? error.cause : error)}`);
      const failure = new ApiError(0, 'network_error', 'The connection was lost while the file was sent.');
      failure.cause = error;
      return failure;
    }
    onProgress(end - start);
    arrived();
    return null;
  }
}

/** Node reads a file when its bytes are needed, and fails when the file has changed since it was opened. */
function isUnreadable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'NotReadableError') return true;
  }
  return false;
}

/** The time limit of a part, in milliseconds. */
const timeoutOf = (bytes: number): number => MIN_TIMEOUT_MS + Math.ceil(bytes / SLOWEST_BYTES_PER_SECOND) * 1_000;
