import { createHash, randomInt } from 'node:crypto';
import { v7 as uuidv7, validate } from 'uuid';

/** Creates an id: a version-7 UUID. It is time-ordered, so ids can be used as keyset cursors. */
export const newId = (): string => uuidv7();

let sequence = randomInt(2 ** 16);

/** Creates an id of a time, for rows that are searched by time through their ids. Ids of the same millisecond have the order of the calls. */
export const newIdAt = (time: Date): string =>
  uuidv7({ msecs: Math.max(time.getTime(), 0), seq: (sequence = (sequence + 1) >>> 0) });

const LAST_MS = 2 ** 48 - 1;

/** The id that precedes all version-7 UUIDs of a time and follows all of earlier times. */
export function firstIdAt(time: Date): string {
  const ms = Math.min(Math.max(time.getTime(), 0), LAST_MS);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Derives an id from a name: a version-8 UUID (RFC 9562, section 5.8). It is not ordered by time. */
export function idFrom(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether `value` is a UUID of any version, in its standard notation. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && validate(value);

/**
 * Converts an id to lower case, the form in which ids are compared, locked and stored. Clients may send either case
 * (RFC 9562, section 4). Values that are not strings are returned unchanged.
 */
export const canonicalId = <T>(value: T): T | string => (typeof value === 'string' ? value.toLowerCase() : value);
