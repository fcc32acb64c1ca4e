import { type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError } from '#kernel/errors/app-error';
import { type BlobDelivery, type BlobStore, type ByteRange, type ByteSpan } from '#infra/blob/blob-store';
import { downloadHeaders } from '#infra/blob/download-headers';
import { toOpenBlob } from '#infra/blob/streams/open-blob';

export interface SendBlobOptions {
  readonly store: BlobStore;
  readonly key: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal; the ETag. */
  readonly sha256: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly delivery: BlobDelivery;
  /**
   * Called once for an answer that will carry the blob's bytes, or lead to them, with how many: 0 up to the size. The place to meter:
   * the blob is open, and nothing of it is sent yet. What it throws is the answer instead. Never called for `HEAD`, 304 and 416, nor
   * when the store does not give the blob.
   */
  readonly beforeSend?: (plannedBytes: number) => Promise<void> | void;
}

/** How the bytes of an answer went. */
export interface DeliveryResult {
  /** Through this service, or from the store, to which the client was redirected. */
  readonly delivery: 'stream' | 'redirect';
  /** What went out, however soon the client left; of a redirect, what the store is asked for. */
  readonly span: ByteSpan;
}

/**
 * Answers `GET` or `HEAD` for a stored blob (RFC 9110): 200, 206 for a range, 304 for a matching `If-None-Match`, or a 302 to the
 * store, at which the client asks for the same range again. `HEAD` opens and meters nothing, and is always answered here. The
 * headers keep the bytes from ever running as a page of ours, whatever they are.
 *
 * Resolves when the answer is out or the client has left; null for an answer without bytes. Errors, all before the first header is
 * sent: `range_not_satisfiable` (with `Content-Range` set), what `beforeSend` throws, `not_found` and `storage_backend_unavailable` from
 * the store. A store that fails later, or gives fewer or more bytes than were promised, cuts the connection: no client takes the part
 * for the whole, or the surplus for the next answer.
 */
export async function sendBlob(
  request: IncomingMessage,
  response: ServerResponse,
  options: SendBlobOptions,
): Promise<DeliveryResult | null> {
  const { sizeBytes } = options;
  const etag = `"${options.sha256}"`;
  if (matches(request.headers['if-none-match'], etag)) {
    response.writeHead(304, { ETag: etag, 'Cache-Control': CACHE_CONTROL }).end();
    return null;
  }
  if (request.method === 'HEAD') {
    response.writeHead(200, { ...blobHeaders(options, etag), 'Content-Length': sizeBytes }).end();
    return null;
  }

  const plan = parseRange(request.headers.range, ifRangeOf(request), etag, sizeBytes);
  if (plan.kind === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${sizeBytes}`);
    throw new AppError('range_not_satisfiable', { details: { size_bytes: sizeBytes } });
  }
  const range = plan.kind === 'part' ? plan.range : undefined;
  const planned: ByteSpan = range ? { start: range.start, end: range.end + 1 } : { start: 0, end: sizeBytes };
  const plannedBytes = planned.end - planned.start;

  const address = redirects(request, options, range) ? await signedUrl(options) : undefined;
  if (address !== undefined) {
    await options.beforeSend?.(plannedBytes);
    response.writeHead(302, { Location: address, 'Cache-Control': CACHE_CONTROL, 'Content-Length': 0 }).end();
    return { delivery: 'redirect', span: planned };
  }
  const sentBytes = await sendBytes(response, options, { range, plannedBytes, etag });
  return { delivery: 'stream', span: { ...planned, end: planned.start + sentBytes } };
}

interface PlannedAnswer {
  readonly range: ByteRange | undefined;
  readonly plannedBytes: number;
  readonly etag: string;
}

/** The bytes themselves, once they are there and counted. @returns how many went out. */
async function sendBytes(
  response: ServerResponse,
  options: SendBlobOptions,
  { range, plannedBytes, etag }: PlannedAnswer,
): Promise<number> {
  const { store, key, sizeBytes } = options;
  const blob = (await store.open?.(key, range)) ?? toOpenBlob(await store.read(key, range));
  try {
    await options.beforeSend?.(plannedBytes);
  } catch (error) {
    blob.close();
    throw error;
  }
  const headers = { ...blobHeaders(options, etag), 'Content-Length': plannedBytes };
  if (range) {
    response.writeHead(206, { ...headers, 'Content-Range': `bytes ${range.start}-${range.end}/${sizeBytes}` });
  } else {
    response.writeHead(200, headers);
  }
  return blob.sendTo(response, plannedBytes);
}

const CACHE_CONTROL = 'private, no-store';
/** Long enough to begin a download with. */
const ADDRESS_SECONDS = 60;

/** A client that resumes by our ETag would get the whole from a store, which has an ETag of its own. */
const redirects = (request: IncomingMessage, { delivery }: SendBlobOptions, range: unknown): boolean =>
  delivery === 'redirect' || (delivery === 'auto' && !(range && ifRangeOf(request) !== undefined));

const signedUrl = async ({ store, key, fileName, mediaType }: SendBlobOptions): Promise<string | undefined> =>
  store.signedUrl?.(key, { expiresInSeconds: ADDRESS_SECONDS, fileName, mediaType });

function blobHeaders(file: SendBlobOptions, etag: string): Record<string, string> {
  const { contentType, contentDisposition, cacheControl } = downloadHeaders(file);
  return {
    'Content-Type': contentType,
    'Content-Disposition': contentDisposition,
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Cache-Control': cacheControl,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}

/** RFC 9110 §13.1.2: a weak comparison against a list, or `*`. */
const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));

/** Node's types know `If-Range` only as a header that may come in several lines. */
const ifRangeOf = (request: IncomingMessage): string | undefined => request.headers['if-range']?.toString();

/** Which bytes answer a request: all of them, one range, or none (the range lies behind the end). */
export type RangePlan =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  | { readonly kind: 'unsatisfiable' };

const WHOLE: RangePlan = { kind: 'whole' };

/**
 * Decides on a GET's `Range` and `If-Range` (RFC 9110 §13.1.5, §14.2). `etag` is the strong one of the blob, quotes included.
 *
 * Several ranges at once, other units and malformed ranges are answered with the whole, as the RFC allows: no client we serve
 * asks for them, and `multipart/byteranges` is a known way to make servers work for nothing. A date in `If-Range` never
 * matches, for we send none.
 */
export function parseRange(
  header: string | undefined,
  ifRange: string | undefined,
  etag: string,
  sizeBytes: number,
): RangePlan {
  const matched = ifRange === undefined || ifRange === etag;
  const [, first, last] = (matched && /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '')) || [];
  if (first === undefined || last === undefined || first + last === '') return WHOLE;
  return first === '' ? planSuffix(Number(last), sizeBytes) : planFrom(Number(first), last, sizeBytes);
}

function planSuffix(suffixBytes: number, sizeBytes: number): RangePlan {
  if (suffixBytes === 0 || sizeBytes === 0) return { kind: 'unsatisfiable' };
  return { kind: 'part', range: { start: Math.max(0, sizeBytes - suffixBytes), end: sizeBytes - 1 } };
}

function planFrom(start: number, last: string, sizeBytes: number): RangePlan {
  if (last !== '' && Number(last) < start) return WHOLE;
  if (start >= sizeBytes) return { kind: 'unsatisfiable' };
  return { kind: 'part', range: { start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) } };
}
