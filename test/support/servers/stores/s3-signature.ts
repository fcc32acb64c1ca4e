import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type SeenRequest } from '../proxies/faulty-proxy';

/** The error of a rejected request. */
export interface Rejection {
  readonly status: number;
  readonly code: string;
}

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const SKEW_MS = 15 * 60_000;

/** The signature of a request, from its headers or its query. */
interface Claim {
  readonly credential: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly date: string;
  readonly payloadHash: string;
  readonly expiresSeconds?: number;
}

/**
 * Verifies an AWS Signature Version 4 in the headers or in a presigned URL (AWS documentation, "Authenticating Requests").
 * @returns null when the signature is valid.
 */
export function rejectionOf(request: SeenRequest, keys: S3Keys, nowMs: number): Rejection | null {
  const claim = claimInUrl(request) ?? claimInHeaders(request);
  if (!claim) return { status: 403, code: 'AccessDenied' };
  const [accessKeyId, ...scope] = claim.credential.split('/');
  if (accessKeyId !== keys.accessKeyId) return { status: 403, code: 'InvalidAccessKeyId' };
  const signedMs = Date.parse(claim.date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(nowMs - signedMs) <= SKEW_MS)) return { status: 403, code: 'RequestTimeTooSkewed' };
  if (nowMs > signedMs + 1000 * (claim.expiresSeconds ?? Infinity)) return { status: 403, code: 'AccessDenied' };
  const wanted = signatureOf(request, claim, scope, keys.secretAccessKey);
  if (!equal(wanted, claim.signature)) return { status: 403, code: 'SignatureDoesNotMatch' };
  if (claim.payloadHash !== 'UNSIGNED-PAYLOAD' && claim.payloadHash !== sha256(request.body)) {
    return { status: 400, code: 'XAmzContentSHA256Mismatch' };
  }
  return null;
}

function claimInUrl({ url }: SeenRequest): Claim | null {
  const query = url.searchParams;
  if (!query.has('X-Amz-Signature')) return null;
  return {
    credential: query.get('X-Amz-Credential') ?? '',
    signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
    signature: query.get('X-Amz-Signature') ?? '',
    date: query.get('X-Amz-Date') ?? '',
    payloadHash: query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
    expiresSeconds: Number(query.get('X-Amz-Expires')),
  };
}

function claimInHeaders({ headers }: SeenRequest): Claim | null {
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), *SignedHeaders=([^,]+), *Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (credential === undefined || signedHeaders === undefined || signature === undefined) return null;
  const header = (name: string): string => headers[name]?.toString() ?? '';
  return {
    credential,
    signedHeaders: signedHeaders.split(';'),
    signature,
    date: header('x-amz-date'),
    payloadHash: header('x-amz-content-sha256'),
  };
}

function signatureOf(request: SeenRequest, claim: Claim, scope: readonly string[], secret: string): string {
  const query = [...request.url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort();
  const headers = claim.signedHeaders.map(
    (name) => `${name}:${(request.headers[name] ?? '').toString().trim().replace(/ +/g, ' ')}\n`,
  );
  const canonical = [
    request.method,
    request.path.split('?')[0],
    query.join('&'),
    headers.join(''),
    claim.signedHeaders.join(';'),
    claim.payloadHash,
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', claim.date, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<Buffer>((last, part) => hmac(last, part), Buffer.from(`AWS4${secret}`));
  return hmac(key, toSign).toString('hex');
}

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
const equal = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
