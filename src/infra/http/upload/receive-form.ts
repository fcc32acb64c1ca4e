import { createHash } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Request, type Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import { AppError, fileTooLarge } from '#kernel/errors/app-error';
import { shownFileName } from '#kernel/text/file-name';
import { type BlobStore } from '#infra/blob/blob-store';
import { closeAfterResponse } from '../server/connection-limits';
import { UploadBody } from './upload-body';

/** The only part that may be a file. */
const FILE_PART = 'file';
const MAX_FIELDS = 32;
const MAX_FIELD_NAME_BYTES = 100;
const MAX_FIELD_VALUE_BYTES = 128 * 1024;
/** Room in the body for everything beside the file: text parts, boundaries, part headers. */
const FORM_BYTES = 512 * 1024;
const IDLE_MS = 60_000;

/** The place for the file. The key is new. */
export interface FileDestination {
  readonly store: Pick<BlobStore, 'write' | 'delete'>;
  readonly key: string;
  /** Gets every chunk of the file. */
  readonly observe?: ((chunk: Buffer) => void) | undefined;
}

/** The limits of a client that sends a form with a file. */
export interface FormLimits {
  /** Limit of the file's size. A larger file is `payload_too_large`. */
  readonly maxBytes: number;
  /** Minimum rate, averaged over one minute. A slower client is cut off. Default: none. */
  readonly minBytesPerSecond?: number;
  /** Longest time without a byte from the client. Default: 60 s. */
  readonly idleMs?: number;
}

export interface ReceiveFormOptions extends FormLimits {
  /**
   * Called once, before the first byte of the file is read, with the file's name (cleaned for display) and the text parts
   * that precede the file. An error that it throws ends the upload.
   */
  readonly open: (fileName: string, fields: Readonly<Record<string, string>>) => Promise<FileDestination>;
}

export interface ReceivedFile extends FileDestination {
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface ReceivedForm {
  /** All text parts, before and after the file, not yet validated. The object has no prototype. */
  readonly fields: Record<string, string>;
  readonly file: ReceivedFile;
}

/**
 * Streams a `multipart/form-data` body with one part `file` and any text parts, in any order, into a blob store; counts and
 * hashes the file on the way. Memory use does not depend on the file's size.
 *
 * When the promise resolves, the blob is durable. When it rejects, the blob is deleted (or left to the caller's clean-up if
 * the store is unavailable), and the connection closes after the response if the client is still sending.
 *
 * @throws AppError `validation_error` for a form of the wrong shape (details.fields); `invalid_input` with `details.reason`
 * `malformed_multipart`, `upload_stalled`, `upload_too_slow` or `upload_aborted`; `payload_too_large`; any error of `open` and the store.
 */
export async function receiveForm(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReceiveFormOptions,
): Promise<ReceivedForm> {
  const storage = new BlobStorageEngine(options);
  try {
    rejectByHeaders(request, options.maxBytes);
    const body = new UploadBody(request, {
      maxFileBytes: options.maxBytes,
      maxFormBytes: FORM_BYTES,
      idleMs: options.idleMs ?? IDLE_MS,
      minBytesPerSecond: options.minBytesPerSecond,
    });
    const fields = await parse(body, response, storage);
    return { fields, file: storage.received() };
  } catch (error) {
    await storage.rollBack(error);
    closeAfterResponse(request, response);
    throw storage.failure ?? toAppError(error);
  }
}

/** Multer storage engine that writes the one file of one request into a blob store. */
class BlobStorageEngine implements StorageEngine {
  /** Error of `open` or of the store, as opposed to an error in the form. */
  failure: Error | undefined;
  private file: ReceivedFile | undefined;
  private writing: Promise<void> | undefined;
  private readonly abort = new AbortController();

  constructor(private readonly options: ReceiveFormOptions) {}

  _handleFile(request: Request, file: Express.Multer.File, done: (error?: unknown) => void): void {
    this.writing = this.write(file, request.body);
    this.writing.then(() => done(), done);
  }

  /** Does nothing: `rollBack` removes the file of the whole request, while Multer would remove file by file. */
  _removeFile(_request: Request, _file: Express.Multer.File, done: (error: Error | null) => void): void {
    done(null);
  }

  received(): ReceivedFile {
    if (!this.file) throw wrongForm(FILE_PART, 'is missing: send the file as a part of this name, with a file name');
    return this.file;
  }

  /** Stops a running write and deletes the blob. Resolves when the write has ended. */
  async rollBack(reason: unknown): Promise<void> {
    this.abort.abort(reason);
    await this.writing?.catch(() => undefined);
    // If the store cannot delete now, the caller's clean-up deletes the blob later.
    await this.file?.store.delete(this.file.key).catch(() => undefined);
  }

  private async write({ stream, originalname }: Express.Multer.File, body: unknown): Promise<void> {
    const fileName = shownFileName(originalname);
    let parseError: unknown;
    stream.once('error', (error) => (parseError = error));
    try {
      const { store, key, observe } = await this.options.open(fileName, textFields(body));
      const hash = createHash('sha256');
      let receivedBytes = 0;
      const onChunk = (chunk: Buffer): void => {
        receivedBytes += chunk.length;
        if (receivedBytes > this.options.maxBytes) throw fileTooLarge(this.options.maxBytes);
        hash.update(chunk);
        observe?.(chunk);
      };
      const { sizeBytes } = await store.write(key, stream, { onChunk, freesChunks: true, signal: this.abort.signal });
      this.file = { store, key, fileName, sizeBytes, sha256: hash.digest('hex') };
    } catch (error) {
      if (error !== parseError && error !== this.abort.signal.reason) this.failure = error as Error;
      throw error;
    }
  }
}

/** Rejects, by the headers alone, a body that is not a form or that announces too many bytes. */
function rejectByHeaders(request: IncomingMessage, maxBytes: number): void {
  if (!/^multipart\/form-data\s*;.*\bboundary=/i.test(request.headers['content-type'] ?? '')) {
    throw wrongForm(FILE_PART, 'must come as a part of a multipart/form-data request, with a boundary');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + FORM_BYTES) throw fileTooLarge(maxBytes);
}

type Middleware = (request: Request, response: Response, done: (error: Error | null) => void) => void;

async function parse(
  body: UploadBody,
  response: ServerResponse,
  storage: StorageEngine,
): Promise<Record<string, string>> {
  const read = multer({
    storage,
    defParamCharset: 'utf8',
    limits: {
      fieldNameSize: MAX_FIELD_NAME_BYTES,
      fieldSize: MAX_FIELD_VALUE_BYTES,
      fieldNestingDepth: 0,
      fields: MAX_FIELDS,
      parts: MAX_FIELDS + 1,
    },
  }).single(FILE_PART) as Middleware;
  const request = body as unknown as Request;
  // `promisify` would copy the property descriptors of the function for each request.
  await new Promise<void>((resolve, reject) => {
    read(request, response as Response, (error) => (error ? reject(error) : resolve()));
  });
  return textFields(request.body);
}

/** The text parts. Multer makes a list of a name that is given twice, which is an error here. */
function textFields(body: unknown): Record<string, string> {
  const fields = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(body ?? {})) {
    if (typeof value !== 'string') throw wrongForm(name, 'must be given once');
    fields[name] = value;
  }
  return fields;
}

const wrongForm = (field: string, message: string): AppError => AppError.validation([{ field, messages: [message] }]);

const MULTER_ERRORS: Readonly<Record<string, string>> = {
  LIMIT_PART_COUNT: `is one part too many: at most ${MAX_FIELDS} text parts and one file`,
  LIMIT_FIELD_COUNT: `is one part too many: at most ${MAX_FIELDS} text parts and one file`,
  LIMIT_FIELD_KEY: `has a name longer than ${MAX_FIELD_NAME_BYTES} bytes`,
  LIMIT_FIELD_VALUE: `must be at most ${MAX_FIELD_VALUE_BYTES} bytes`,
  LIMIT_FIELD_NESTING: 'has a name with brackets',
  LIMIT_UNEXPECTED_FILE: `must not be a file: only the part "${FILE_PART}" may be one, once`,
  MISSING_FIELD_NAME: 'has no name',
  INVALID_FIELD_NAME: 'has a name that is not allowed',
};

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof MulterError) {
    const message = MULTER_ERRORS[error.code];
    if (message) return wrongForm(shownFileName(error.field ?? 'part'), message);
  }
  const cause = error instanceof Error ? error.message : String(error);
  return new AppError('invalid_input', {
    message: `The multipart body is malformed: ${cause}.`,
    details: { reason: 'malformed_multipart' },
    cause: error,
  });
}
