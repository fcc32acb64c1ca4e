import { type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError } from '#kernel/errors/app-error';
import { type BlobDelivery, type BlobStore, type ByteRange, type ByteSpan } from '#infra/blob/blob-store';
import { downloadHeaders } from '#infra/blob/download-headers';
import { ContentCheck } from '#infra/blob/streams/content-check';
import { type OpenBlob, toOpenBlob } from '#infra/blob/streams/open-blob';
import { bytesOf, parseRanges, sendRanges } from './multipart-ranges';

export interface SendBlobOptions {
  readonly store: BlobStore;
  readonly key: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. Also the ETag. */
  readonly sha256: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly delivery: BlobDelivery;
  /**
   * Called before a redirect, because the service opens no blob then. Throws when the store is unavailable or lacks the blob, so that
   * `beforeSend` is not called for a download that cannot succeed.
   */
  readonly beforeRedirect?: () => Promise<void>;
  /**
   * Called once before a response that carries the blob's bytes or redirects to them, with the number of bytes that the client
   * can get from it: those of the range, or `sizeBytes` for a redirect, because its address opens the whole blob. A redirect of a client
   * that resumes counts as a fiftieth of it. Meter the download here: no byte has been sent. If it throws, its error is the response. Not
   * called for `HEAD`, 304 and 416, nor when the store cannot open the blob.
   */
  readonly beforeSend?: (plannedBytes: number) => Promise<void> | void;
  /** Called when a whole blob was streamed and has another SHA-256. The connection was destroyed before the last chunk. */
  readonly onDamaged?: () => void;
}

/** The delivery of a blob. */
export interface DeliveryResult {
  /** Streamed by this service, or redirected to the store. */
  readonly delivery: 'stream' | 'redirect';
  /**
   * The bytes that were sent, which may be fewer than requested if the client disconnected. For a redirect, the requested
   * bytes.
   */
  readonly spans: readonly ByteSpan[];
  /** Whether this service has sent the whole blob in response to a request without a range. */
  readonly isWhole: boolean;
}

/**
 * Responds to `GET` or `HEAD` with a stored blob (RFC 9110): 200, 206 for a range or several, 304 for a matching `If-None-Match`, or
 * 302 to the store, where the client repeats its range. `HEAD` is never redirected, opens nothing and meters nothing. The
 * headers prevent browsers from executing the content.
 *
 * Resolves when the response is complete or the client has disconnected; null for a response without bytes. If the store
 * fails after the headers were sent, or delivers fewer, more or other bytes than announced, the connection is destroyed, so
 * that the client notices. Other bytes are noticed only in a whole blob, because the hash of a range is unknown.
 * @throws (before any header is sent) `range_not_satisfiable` with `Content-Range` set, `storage_backend_unavailable` when the
 * store fails or lacks the blob, and any error of `beforeRedirect` and `beforeSend`.
 */
export async function sendBlob(
  request: IncomingMessage,
  response: ServerResponse,
  options: SendBlobOptions,
): Promise<DeliveryResult | null> {
  const { sizeBytes } = options;
  const etag = `"${options.sha256}"`;
  if (sendHeaders(request, response, options, etag)) return null;
  const plan = parseRange(request.headers.range, ifRangeOf(request), etag, sizeBytes);
  if (plan.kind === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${sizeBytes}`);
    throw new AppError('range_not_satisfiable', { details: { size_bytes: sizeBytes } });
  }
  // Stores answer several ranges with the whole file, so they are not redirected unless every download is.
  if (plan.kind === 'parts' && options.delivery !== 'redirect') return sendParts(response, options, plan.ranges, etag);
  const range = plan.kind === 'part' ? plan.range : undefined;
  const planned: ByteSpan = range ? { start: range.start, end: range.end + 1 } : { start: 0, end: sizeBytes };
  const plannedBytes = planned.end - planned.start;

  const url = mayRedirect(request, options, range) ? await signedUrl(options) : undefined;
  if (url !== undefined) {
    await options.beforeRedirect?.();
    await options.beforeSend?.(redirectedBytes(request, sizeBytes));
    response.writeHead(302, { Location: url, 'Cache-Control': CACHE_CONTROL, 'Content-Length': 0 }).end();
    return { delivery: 'redirect', spans: [planned], isWhole: false };
  }
  const sentBytes = await sendBytes(response, options, { range, plannedBytes, etag });
  const isWhole = request.headers.range === undefined && sentBytes === sizeBytes;
  return { delivery: 'stream', spans: [{ ...planned, end: planned.start + sentBytes }], isWhole };
}

/** Responds to a request that gets no bytes. @returns false when it gets some. */
function sendHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  options: SendBlobOptions,
  etag: string,
): boolean {
  if (matches(request.headers['if-none-match'], etag)) {
    response.writeHead(304, { ETag: etag, 'Cache-Control': CACHE_CONTROL }).end();
    return true;
  }
  if (request.method !== 'HEAD') return false;
  response.writeHead(200, { ...blobHeaders(options, etag), 'Content-Length': options.sizeBytes }).end();
  return true;
}

/** Sends several ranges in one response. */
async function sendParts(
  response: ServerResponse,
  options: SendBlobOptions,
  ranges: readonly ByteRange[],
  etag: string,
): Promise<DeliveryResult> {
  const { store, key } = options;
  const first = await presentBlob(key, () => store.read(key, ranges[0]));
  // The stream can fail before it is sent, which then sees the error.
  first.on('error', () => undefined);
  try {
    await options.beforeSend?.(bytesOf(ranges));
  } catch (error) {
    first.destroy();
    throw error;
  }
  const spans = await sendRanges(response, blobHeaders(options, etag), { ...options, ranges, first });
  return { delivery: 'stream', spans, isWhole: false };
}

interface PlannedResponse {
  readonly range: ByteRange | undefined;
  readonly plannedBytes: number;
  readonly etag: string;
}

const openBlob = (store: BlobStore, key: string, range: ByteRange | undefined): Promise<OpenBlob> =>
  presentBlob(key, async () => (await store.open?.(key, range)) ?? toOpenBlob(await store.read(key, range)));

/** @throws AppError storage_backend_unavailable, also when the store lacks the blob: its row exists, so the store is at fault. */
async function presentBlob<T>(key: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof AppError) || error.errorCase !== 'not_found') throw error;
    throw new AppError('storage_backend_unavailable', { cause: `the blob ${key} is missing` });
  }
}

/** Streams the bytes. @returns the number of bytes sent. */
async function sendBytes(
  response: ServerResponse,
  options: SendBlobOptions,
  { range, plannedBytes, etag }: PlannedResponse,
): Promise<number> {
  const { store, key, sizeBytes } = options;
  const blob = await openBlob(store, key, range);
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
  const check = range ? undefined : ContentCheck.of(options.sha256, blob.version);
  const sentBytes = await blob.sendTo(response, plannedBytes, check);
  if (check?.failed) options.onDamaged?.();
  return sentBytes;
}

const CACHE_CONTROL = 'private, no-store';
/** The presigned URL is valid long enough to start a download. */
const SIGNED_URL_SECONDS = 60;

/** The number of redirects of a client that resumes which count as the whole blob. Without a limit, one ticket would open it forever. */
const RESUMPTIONS = 50;

/**
 * What a redirect counts as. A client continues a download when its range starts at a named byte after the first. `If-Range` does not matter,
 * because the client has the ETag of the store that sent the first bytes, which compares it.
 */
function redirectedBytes({ headers: { range } }: IncomingMessage, sizeBytes: number): number {
  const plan = parseRange(range, undefined, '', sizeBytes);
  const isSuffix = /=\s*-/.test(range ?? '');
  const resumes = plan.kind === 'part' && plan.range.start > 0 && !isSuffix;
  return resumes ? Math.ceil(sizeBytes / RESUMPTIONS) : sizeBytes;
}

/** Requests with `If-Range` are not redirected: the header holds our ETag, and the store, which uses another, would send the whole file. */
const mayRedirect = (request: IncomingMessage, { delivery }: SendBlobOptions, range: unknown): boolean =>
  delivery === 'redirect' || (delivery === 'auto' && !(range && ifRangeOf(request) !== undefined));

const signedUrl = async ({ store, key, fileName, mediaType }: SendBlobOptions): Promise<string | undefined> =>
  store.signedUrl?.(key, { expiresInSeconds: SIGNED_URL_SECONDS, fileName, mediaType });

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

/** Weak comparison with a list of tags or `*` (RFC 9110, section 13.1.2). */
const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));

/** Node types this header as if it could be repeated. */
const ifRangeOf = (request: IncomingMessage): string | undefined => request.headers['if-range']?.toString();

/** The response to a range request. `unsatisfiable`: the range starts after the end of the file. */
export type RangePlan =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  | { readonly kind: 'parts'; readonly ranges: readonly ByteRange[] }
  | { readonly kind: 'unsatisfiable' };

const WHOLE: RangePlan = { kind: 'whole' };

/**
 * Evaluates `Range` and `If-Range` of a GET (RFC 9110, sections 13.1.5 and 14.2). `etag` is the strong ETag of the blob, with its
 * quotes.
 *
 * Several ranges get `multipart/byteranges`, which is bounded because it is a known way to overload servers (`parseRanges`). Other lists of
 * ranges, other units and malformed ranges get the whole file, as the RFC allows. A date in `If-Range` never matches, because responses
 * carry no `Last-Modified`.
 */
export function parseRange(
  header: string | undefined,
  ifRange: string | undefined,
  etag: string,
  sizeBytes: number,
): RangePlan {
  if (header === undefined || (ifRange !== undefined && ifRange !== etag)) return WHOLE;
  const [, first, last] = /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? [];
  if (first === undefined || last === undefined) return planSeveral(header, sizeBytes);
  if (first + last === '') return WHOLE;
  return first === '' ? planSuffix(Number(last), sizeBytes) : planFrom(Number(first), last, sizeBytes);
}

function planSeveral(header: string, sizeBytes: number): RangePlan {
  const ranges = parseRanges(header, sizeBytes);
  return ranges ? { kind: 'parts', ranges } : WHOLE;
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
