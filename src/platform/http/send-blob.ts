import { type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import { AppError } from '#kernel/errors/app-error';
import { shownFileName } from '#kernel/text/file-name';
import { type BlobStore } from '#platform/blob/blob-store';
import { planRange } from './plan-range';

export interface SendBlobOptions {
  readonly store: BlobStore;
  readonly key: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal; the ETag. */
  readonly sha256: string;
  readonly fileName: string;
  readonly mediaType: string;
  /**
   * Called once for an answer that will carry the blob's bytes, before it is opened, with how many: 0 up to the size. The
   * place to meter. What it throws is the answer instead. Never called for `HEAD`, 304 and 416.
   */
  readonly onPlan?: (plannedBytes: number) => Promise<void> | void;
}

/**
 * Answers `GET` or `HEAD` for a stored blob (RFC 9110): 200, 206 for a range, 304 for a matching `If-None-Match`. `HEAD` opens
 * and meters nothing. The headers keep the bytes from ever running as a page of ours, whatever they are.
 *
 * Resolves when the answer is out or the client has left. Errors, all before the first header is sent: `range_not_satisfiable`
 * (with `Content-Range` set), what `onPlan` throws, `not_found` and `storage_backend_unavailable` from the store. A store that
 * fails later, or gives fewer bytes than were promised, cuts the connection, so that no client takes the part for the whole.
 */
export async function sendBlob(
  request: IncomingMessage,
  response: ServerResponse,
  options: SendBlobOptions,
): Promise<void> {
  const { store, key, sizeBytes } = options;
  const etag = `"${options.sha256}"`;
  if (matches(request.headers['if-none-match'], etag)) {
    response.writeHead(304, { ETag: etag, 'Cache-Control': CACHE_CONTROL }).end();
    return;
  }
  if (request.method === 'HEAD') {
    response.writeHead(200, { ...blobHeaders(options, etag), 'Content-Length': sizeBytes }).end();
    return;
  }

  const plan = planRange(request.headers.range, ifRangeOf(request), etag, sizeBytes);
  if (plan.kind === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${sizeBytes}`);
    throw new AppError('range_not_satisfiable', { details: { size_bytes: sizeBytes } });
  }
  const range = plan.kind === 'part' ? plan.range : undefined;
  const plannedBytes = range ? range.end - range.start + 1 : sizeBytes;
  await options.onPlan?.(plannedBytes);

  const stream = await store.read(key, range);
  const headers = { ...blobHeaders(options, etag), 'Content-Length': plannedBytes };
  if (range) {
    response.writeHead(206, { ...headers, 'Content-Range': `bytes ${range.start}-${range.end}/${sizeBytes}` });
  } else {
    response.writeHead(200, headers);
  }
  let missingBytes = plannedBytes;
  stream.on('data', (chunk: Buffer) => (missingBytes -= chunk.length));
  stream.once('end', () => missingBytes > 0 && response.destroy());
  await pipeline(stream, response).catch(() => undefined);
}

const CACHE_CONTROL = 'private, no-store';

const blobHeaders = ({ fileName, mediaType }: SendBlobOptions, etag: string): Record<string, string> => ({
  'Content-Type': mediaType,
  'Content-Disposition': contentDisposition(shownFileName(fileName)),
  'Accept-Ranges': 'bytes',
  ETag: etag,
  'Cache-Control': CACHE_CONTROL,
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
});

/** RFC 9110 §13.1.2: a weak comparison against a list, or `*`. */
const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));

/** Node's types know `If-Range` only as a header that may come in several lines. */
const ifRangeOf = (request: IncomingMessage): string | undefined => request.headers['if-range']?.toString();
