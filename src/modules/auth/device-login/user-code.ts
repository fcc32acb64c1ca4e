import { randomInt } from 'node:crypto';

/** Consonants only, so that no code is a word (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** Matches what people type: letters in any case, with spaces or hyphens anywhere. */
export const USER_CODE_PATTERN = /^[ -]*(?:[B-DF-HJ-NP-TV-XZb-df-hj-np-tv-xz][ -]*){8}$/;

/** Creates a code of 34 random bits that a person can type, such as `WDJB-MJHT`. */
export function newUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
}

/** The letters of a code that matches `USER_CODE_PATTERN`, by which it is compared. */
export const lettersOf = (userCode: string): string => userCode.replace(/[ -]/g, '').toUpperCase();
