import { createHash } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { type Request, type Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import { AppError } from '#kernel/errors/app-error';
import { shownFileName } from '#kernel/text/file-name';
import { type BlobStore } from '#infra/blob/blob-store';
import { closeAfterResponse } from '#infra/http/server/connection-limits';
import { artifactTooLarge, UploadBody } from './upload-body';

/** The one part that is a file. */
const FILE_PART = 'file';
const MAX_FIELDS = 32;
const MAX_FIELD_NAME_BYTES = 100;
const MAX_FIELD_VALUE_BYTES = 32 * 1024;
/** What a body may hold beside the file: text parts, boundaries, part headers. */
const FORM_BYTES = 512 * 1024;
const IDLE_MS = 60_000;

/** Where an artifact goes: a key never used before. */
export interface ArtifactDestination {
  readonly store: Pick<BlobStore, 'write' | 'delete'>;
  readonly key: string;
}

export interface ReceiveArtifactOptions {
  /** Of the file. One byte more is `payload_too_large`. */
  readonly maxBytes: number;
  /**
   * Called once, before the first byte of the file is read, with its name made fit for showing and the text parts that came
   * before it. What it throws ends the upload.
   */
  readonly open: (fileName: string, fields: Readonly<Record<string, string>>) => Promise<ArtifactDestination>;
  /** Longest silence of the client; 60 s. */
  readonly idleMs?: number;
}

export interface ReceivedFile extends ArtifactDestination {
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface ReceivedArtifact {
  /** All text parts, from before and after the file; not yet validated. No prototype. */
  readonly fields: Record<string, string>;
  readonly file: ReceivedFile;
}

/**
 * Reads a `multipart/form-data` request with one part `file` and any text parts, in any order, straight into a blob store,
 * hashed and counted on the way (contract §7). Memory does not grow with the file. When it resolves the blob is durable;
 * when it rejects the blob is gone (or, with a store out of reach, left to the sweeper), and the connection will be closed
 * after the answer if the client is still sending.
 *
 * Errors: `validation_error` for a form of the wrong shape (details.fields); `invalid_input` with `details.reason`
 * `malformed_multipart`, `upload_stalled` or `upload_aborted`; `payload_too_large`; whatever `open` and the store throw.
 */
export async function receiveArtifact(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReceiveArtifactOptions,
): Promise<ReceivedArtifact> {
  const upload = new ArtifactUpload(options);
  try {
    refuseUnreadable(request, options.maxBytes);
    const body = new UploadBody(request, {
      maxFileBytes: options.maxBytes,
      maxFormBytes: FORM_BYTES,
      idleMs: options.idleMs ?? IDLE_MS,
    });
    const fields = await parse(body, response, upload);
    return { fields, file: upload.received() };
  } catch (error) {
    await upload.undo(error);
    closeAfterResponse(request, response);
    throw upload.failure ?? toAppError(error);
  }
}

/** Multer's storage engine for one file of one request. */
class ArtifactUpload implements StorageEngine {
  /** What `open` or the store threw, as opposed to what is wrong with the form. */
  failure: Error | undefined;
  private file: ReceivedFile | undefined;
  private writing: Promise<void> | undefined;
  private readonly abort = new AbortController();

  constructor(private readonly options: ReceiveArtifactOptions) {}

  _handleFile(request: Request, file: Express.Multer.File, done: (error?: unknown) => void): void {
    this.writing = this.write(file, request.body);
    this.writing.then(() => done(), done);
  }

  /** Multer would undo file by file what `undo` does for the request. */
  _removeFile(_request: Request, _file: Express.Multer.File, done: (error: Error | null) => void): void {
    done(null);
  }

  received(): ReceivedFile {
    if (!this.file)
      throw wrongForm(FILE_PART, 'is missing: send the artifact as a part of this name, with a file name');
    return this.file;
  }

  /** Resolves when nothing is written any more and nothing is left. */
  async undo(reason: unknown): Promise<void> {
    this.abort.abort(reason);
    await this.writing?.catch(() => undefined);
    // The upload's intent row leads the sweeper to a blob that cannot be deleted now.
    await this.file?.store.delete(this.file.key).catch(() => undefined);
  }

  private async write({ stream, originalname }: Express.Multer.File, body: unknown): Promise<void> {
    const fileName = shownFileName(originalname);
    let parseError: unknown;
    stream.once('error', (error) => (parseError = error));
    try {
      const { store, key } = await this.options.open(fileName, textFields(body));
      const hash = createHash('sha256');
      let receivedBytes = 0;
      const onChunk = (chunk: Buffer): void => {
        receivedBytes += chunk.length;
        if (receivedBytes > this.options.maxBytes) throw artifactTooLarge(this.options.maxBytes);
        hash.update(chunk);
      };
      const { sizeBytes } = await store.write(key, stream, { onChunk, signal: this.abort.signal });
      this.file = { store, key, fileName, sizeBytes, sha256: hash.digest('hex') };
    } catch (error) {
      if (error !== parseError && error !== this.abort.signal.reason) this.failure = error as Error;
      throw error;
    }
  }
}

/** What can be said before reading: no form, or one that announces too many bytes. */
function refuseUnreadable(request: IncomingMessage, maxBytes: number): void {
  if (!/^multipart\/form-data\s*;.*\bboundary=/i.test(request.headers['content-type'] ?? '')) {
    throw wrongForm(FILE_PART, 'must come as a part of a multipart/form-data request, with a boundary');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + FORM_BYTES) throw artifactTooLarge(maxBytes);
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
  }).single(FILE_PART);
  const request = body as unknown as Request;
  await promisify(read as Middleware)(request, response as Response);
  return textFields(request.body);
}

/** A name given twice has become a list. */
function textFields(body: unknown): Record<string, string> {
  const fields = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(body ?? {})) {
    if (typeof value !== 'string') throw wrongForm(name, 'must be given once');
    fields[name] = value;
  }
  return fields;
}

const wrongForm = (field: string, message: string): AppError => AppError.validation([{ field, messages: [message] }]);

const FORM_MISTAKES: Readonly<Record<string, string>> = {
  LIMIT_PART_COUNT: `is one part too many: at most ${MAX_FIELDS} text parts and one file`,
  LIMIT_FIELD_COUNT: `is one part too many: at most ${MAX_FIELDS} text parts and one file`,
  LIMIT_FIELD_KEY: `has a name longer than ${MAX_FIELD_NAME_BYTES} bytes`,
  LIMIT_FIELD_VALUE: `must be at most ${MAX_FIELD_VALUE_BYTES} bytes`,
  LIMIT_FIELD_NESTING: 'has a name with brackets',
  LIMIT_UNEXPECTED_FILE: `is not the one part "${FILE_PART}" that may be a file`,
  MISSING_FIELD_NAME: 'has no name',
  INVALID_FIELD_NAME: 'has a name that is not allowed',
};

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof MulterError) {
    const message = FORM_MISTAKES[error.code];
    if (message) return wrongForm(shownFileName(error.field ?? 'part'), message);
  }
  const cause = error instanceof Error ? error.message : String(error);
  return new AppError('invalid_input', {
    message: `The multipart body is malformed: ${cause}.`,
    details: { reason: 'malformed_multipart' },
    cause: error,
  });
}
