import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What a token is for; written at its front, so that people and secret scanners recognize it. */
export type TokenPrefix = 'ag_prj_' | 'ag_pat_' | 'ag_ref_';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 43;
const CHECKSUM_CHARS = 6;
const AFTER_PREFIX = new RegExp(`^[${ALPHABET}]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);

/** For secret scanners: matches every token of the service. Whether one is genuine is told by its checksum. */
export const TOKEN_PATTERN = /\bag_(prj|pat|ref)_[0-9A-Za-z]{49}\b/;

/**
 * A new token: prefix, 32 random bytes in base 62 (43 characters, 256 bits), CRC-32 of all before it in base 62
 * (6 characters). Shown once; only its digest is kept.
 */
export function newToken(prefix: TokenPrefix): string {
  const body = prefix + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_CHARS);
  return body + checksum(body);
}

/** Whether the checksum fits: a mistyped or made-up token is refused without asking the database. Not a security check. */
export function isWellFormedToken(token: string, prefix: TokenPrefix): boolean {
  const body = token.slice(0, -CHECKSUM_CHARS);
  return (
    token.startsWith(prefix) &&
    AFTER_PREFIX.test(token.slice(prefix.length)) &&
    checksum(body) === token.slice(-CHECKSUM_CHARS)
  );
}

/** A one-time secret for a link: 256 random bits, URL-safe. */
export const newLinkToken = (): string => randomBytes(32).toString('base64url');

/** Whether a string could be a link token at all. */
export const isLinkToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value);

/** SHA-256: what the database keeps of a token. The tokens are random enough that no salt is needed. */
export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const checksum = (body: string): string => base62(BigInt(crc32(body)), CHECKSUM_CHARS);

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text;
  return text;
}
