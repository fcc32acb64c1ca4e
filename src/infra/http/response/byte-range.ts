import { type ByteRange } from '#infra/blob/blob-store';

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
