import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The start of a token names its purpose, so that people and secret scanners recognize it. */
export type TokenPrefix = 'ag_prj_' | 'ag_pat_' | 'ag_ref_' | 'ag_upd_';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 43;
const CHECKSUM_CHARS = 6;
const AFTER_PREFIX = new RegExp(`^[${ALPHABET}]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);

/**
 * Matches every secret token of the service, for secret scanners: not update keys, which are public. The checksum then excludes texts that
 * only look like a token.
 */
export const TOKEN_PATTERN = /\bag_(prj|pat|ref)_[0-9A-Za-z]{49}\b/;

/**
 * Creates a token: the prefix, then 32 random bytes in base 62 (43 characters, 256 bits), then the CRC-32 of both in base 62
 * (6 characters).
 */
export function newToken(prefix: TokenPrefix): string {
  const body = prefix + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_CHARS);
  return body + checksum(body);
}

/** Whether the format and the checksum are correct. Rejects mistyped tokens without a query; it is not a security check. */
export function isWellFormedToken(token: string, prefix: TokenPrefix): boolean {
  const body = token.slice(0, -CHECKSUM_CHARS);
  return (
    token.startsWith(prefix) &&
    AFTER_PREFIX.test(token.slice(prefix.length)) &&
    checksum(body) === token.slice(-CHECKSUM_CHARS)
  );
}

/** Creates a one-time secret for a link: 256 random bits in base64url. */
export const newLinkToken = (): string => randomBytes(32).toString('base64url');

/** Whether a value has the format of a link token. */
export const isLinkToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value);

/** The SHA-256 that the database stores instead of a token. Tokens have enough random bits to need no salt. */
export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const checksum = (body: string): string => base62(BigInt(crc32(body)), CHECKSUM_CHARS);

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text;
  return text;
}
