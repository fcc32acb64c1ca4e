import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { type UploadPart } from '#infra/blob/blob-store';
import { partSizeMismatch } from '#infra/blob/part-uploads';
import { closeAfterResponse } from '../server/connection-limits';
import { UploadBody } from './upload-body';

const IDLE_MS = 60_000;

/** A part of a file that the request's body must be. */
export interface PartDestination {
  readonly part: UploadPart;
  /** Minimum rate of the client, averaged over one minute. 0: none. */
  readonly minBytesPerSecond: number;
  /** Stores the body. Rejects when the body's length is not that of the part. */
  readonly write: (body: Readable) => Promise<void>;
}

/**
 * Streams a body that is one part of a file into a store. An incomplete part is not stored. If the client is still sending
 * when this rejects, the connection closes after the response.
 *
 * @throws AppError `validation_error` for a body that is declared as a form or as JSON; `invalid_input` with `details.reason`
 * `part_size_mismatch`, `upload_stalled`, `upload_too_slow` or `upload_aborted`; `payload_too_large`; any error of `open` and the store.
 */
export async function receivePart(
  request: IncomingMessage,
  response: ServerResponse,
  open: () => Promise<PartDestination>,
): Promise<void> {
  try {
    const { part, minBytesPerSecond, write } = await open();
    rejectByHeaders(request, part);
    const limits = { maxFileBytes: part.sizeBytes, maxFormBytes: 0, idleMs: IDLE_MS, minBytesPerSecond };
    await write(new UploadBody(request, limits));
  } catch (error) {
    closeAfterResponse(request, response);
    throw error;
  }
}

/** Rejects, by the headers alone, a body of another type or length. */
function rejectByHeaders({ headers }: IncomingMessage, part: UploadPart): void {
  if (/^application\/(json|x-www-form-urlencoded)\b/i.test(headers['content-type'] ?? '')) {
    const messages = ['must be application/octet-stream, or left out'];
    throw AppError.validation([{ field: 'Content-Type', messages }]);
  }
  const announced = headers['content-length'];
  if (announced !== undefined && Number(announced) !== part.sizeBytes) throw partSizeMismatch(part);
}
