import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 43;
const CHECKSUM_CHARS = 6;

/** Whether a text has the form of a token of the service. */
export const isToken = (text: string): boolean => /^ag_(prj|pat)_/.test(text);

/** Whether a token is complete: its last characters are the checksum of the others. */
export function isCompleteToken(token: string): boolean {
  const body = token.slice(0, -CHECKSUM_CHARS);
  return /^ag_[a-z]{3}_[0-9A-Za-z]+$/.test(token) && token.length === 7 + RANDOM_CHARS + CHECKSUM_CHARS
    ? base62(crc32(body)) === token.slice(-CHECKSUM_CHARS)
    : false;
}

function base62(value: number): string {
  let text = '';
  for (let rest = value; text.length < CHECKSUM_CHARS; rest = Math.floor(rest / 62))
    text = ALPHABET.charAt(rest % 62) + text;
  return text;
}
