import { v7 as uuidv7, validate } from 'uuid';

/** A new id: a version-7 uuid, time-ordered, so that ids serve as keyset cursors (contract §1). */
export const newId = (): string => uuidv7();

/** Whether `value` is a uuid of any version, in the usual spelling. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && validate(value);
