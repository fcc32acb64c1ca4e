import { types } from 'node:util';
import { QueryFailedError } from 'typeorm';
import { AppError } from '#kernel/errors/app-error';

interface DriverError {
  readonly code?: string;
  readonly constraint?: string;
  readonly detail?: string;
  readonly message?: string;
}

const RETRYABLE = new Set(['40001', '40P01']);
const BAD_VALUE = new Set(['22P02', '22021', '22P05', '22003', '22001', '22007', '22008']);
/** A check, and a null where there is none. */
const BROKEN_RULE = new Set(['23514', '23502']);
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EPIPE',
  'ETIMEDOUT',
]);
/** A wait of ours ran out: a lock's, a statement's, an idle transaction's. */
const TOO_SLOW = new Set(['55P03', '57014', '25P03']);
/** A stand-by has not taken over yet. */
const READ_ONLY = '25006';

const driverErrorOf = (error: unknown): DriverError | null => {
  const source: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return types.isNativeError(source) ? source : null;
};

/** A serialization failure or a deadlock: the same work may well succeed when run again. */
export const isRetryable = (error: unknown): boolean => RETRYABLE.has(driverErrorOf(error)?.code ?? '');

/** Others held a lock for too long, or two waited for each other. */
export const isLockedOut = (error: unknown): boolean => isRetryable(error) || driverErrorOf(error)?.code === '55P03';

/** The role lacks a right, or the table is append-only: a fault of ours or of whoever runs this, never of the client's. */
export const isForbidden = (error: unknown): boolean => driverErrorOf(error)?.code === '42501';

/**
 * A rule of the database was broken that everything before it should have kept. The client is told that the value cannot be
 * stored, as it may be one that we forgot to refuse (contract §14: never 500); in any case it is a fault of ours.
 */
export const isBrokenRule = (error: unknown): boolean => BROKEN_RULE.has(driverErrorOf(error)?.code ?? '');

/** The constraint that a statement broke, or null. */
export const violatedConstraint = (error: unknown): string | null => driverErrorOf(error)?.constraint ?? null;

/**
 * What a database error means to a client, by SQLSTATE (PostgreSQL appendix A), or null when it means nothing to them.
 * Repositories need not foresee conflicts: the constraint does, and this maps it in one place.
 */
export function databaseErrorToAppError(error: unknown): AppError | null {
  const driver = driverErrorOf(error);
  const code = driver?.code ?? '';
  if (code === '23505') return alreadyExists(driver, error);
  if (code === '23503') return dependency(driver, error);
  if (BAD_VALUE.has(code) || BROKEN_RULE.has(code))
    return new AppError('validation_error', { message: 'A value cannot be stored.', cause: error });
  if (RETRYABLE.has(code) || TOO_SLOW.has(code)) return tooSlow(error);
  return isDatabaseUnavailable(error) ? unreachable(error) : null;
}

/** Nothing can be asked of the database at the moment: not this, nor anything else. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const driver = driverErrorOf(error);
  const code = driver?.code ?? '';
  return UNREACHABLE.has(code) || code === READ_ONLY || /^(08|53|57P0)/.test(code) || isPoolTimeout(driver);
}

export const unreachable = (cause: unknown): AppError =>
  new AppError('storage_backend_unavailable', {
    // Not "nothing was changed": the connection may have been lost after a commit and before its answer.
    message: 'The database cannot be reached at the moment. Try again shortly, with the same Idempotency-Key.',
    cause,
  });

const tooSlow = (cause: unknown): AppError =>
  new AppError('storage_backend_unavailable', {
    message: 'The database takes too long at the moment. Try again shortly, with the same Idempotency-Key.',
    cause,
  });

const isPoolTimeout = (driver: DriverError | null): boolean =>
  /timeout exceeded when trying to connect|Connection terminated|terminating connection/i.test(driver?.message ?? '');

/** `Key (organization_id, name)=(…) already exists.`: the last column is what the client chose. */
function alreadyExists(driver: DriverError | null, cause: unknown): AppError {
  const column = /^Key \(.*?([a-z_]+)\)+=/.exec(driver?.detail ?? '')?.[1];
  const message = column ? `Another one with the same ${column} exists already.` : undefined;
  return new AppError('already_exists', { ...(message && { message }), cause });
}

/** A row that others point at was to be removed; or a row was to point at one that has just gone. */
function dependency(driver: DriverError | null, cause: unknown): AppError {
  const gone = /is not present in table/.test(driver?.detail ?? '');
  if (gone) return new AppError('not_found', { message: 'What this refers to has just been removed.', cause });
  const table = /from table "([a-z_]+)"/.exec(driver?.detail ?? '')?.[1];
  const message = table ? `It still has a ${table.replaceAll('_', ' ')}. Remove that first.` : undefined;
  return new AppError('dependency_exists', { ...(message && { message }), cause });
}
