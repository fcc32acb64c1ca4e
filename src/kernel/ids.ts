import { v7 as uuidv7, validate } from 'uuid';

/** A new id: a version-7 uuid, time-ordered, so that ids serve as keyset cursors (contract §1). */
export const newId = (): string => uuidv7();

/** Whether `value` is a uuid of any version, in the usual spelling. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && validate(value);

/**
 * An id in the one spelling in which ids are compared, locked by and remembered: clients may send either case (RFC 9562 §4).
 * What is no text stays what it is.
 */
export const canonicalId = <T>(value: T): T | string => (typeof value === 'string' ? value.toLowerCase() : value);
