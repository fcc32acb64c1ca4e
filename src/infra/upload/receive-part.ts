import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { type UploadPart } from '#infra/blob/blob-store';
import { partSizeMismatch } from '#infra/blob/part-uploads';
import { closeAfterResponse } from '#infra/http/server/connection-limits';
import { UploadBody } from './upload-body';

const IDLE_MS = 60_000;

/** What the body must be, and where it goes. */
export interface PartDestination {
  readonly part: UploadPart;
  /** Takes over the body; rejects when it is not as long as the part. */
  readonly write: (body: Readable) => Promise<void>;
}

/**
 * Reads a request whose body is one part of an upload, into a store. A part that is not whole does not count; the connection is
 * closed after the answer if the client is still sending then.
 *
 * Errors: `validation_error` for a body that was taken for a form or JSON; `invalid_input` with `details.reason`
 * `part_size_mismatch`, `upload_stalled` or `upload_aborted`; `payload_too_large`; whatever `open` and the store throw.
 */
export async function receivePart(
  request: IncomingMessage,
  response: ServerResponse,
  open: () => Promise<PartDestination>,
): Promise<void> {
  try {
    const { part, write } = await open();
    refuseUnreadable(request, part);
    await write(new UploadBody(request, { maxFileBytes: part.sizeBytes, maxFormBytes: 0, idleMs: IDLE_MS }));
  } catch (error) {
    closeAfterResponse(request, response);
    throw error;
  }
}

/** What can be said before reading. */
function refuseUnreadable({ headers }: IncomingMessage, part: UploadPart): void {
  if (/^application\/(json|x-www-form-urlencoded)\b/i.test(headers['content-type'] ?? '')) {
    const messages = ['must be application/octet-stream, or left out'];
    throw AppError.validation([{ field: 'Content-Type', messages }]);
  }
  const announced = headers['content-length'];
  if (announced !== undefined && Number(announced) !== part.sizeBytes) throw partSizeMismatch(part);
}
