import { v7 as uuidv7, validate } from 'uuid';

/** Creates an id: a version-7 UUID. It is time-ordered, so ids can be used as keyset cursors. */
export const newId = (): string => uuidv7();

/** Whether `value` is a UUID of any version, in its standard notation. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && validate(value);

/**
 * Converts an id to lower case, the form in which ids are compared, locked and stored. Clients may send either case
 * (RFC 9562, section 4). Values that are not strings are returned unchanged.
 */
export const canonicalId = <T>(value: T): T | string => (typeof value === 'string' ? value.toLowerCase() : value);
