import { types } from 'node:util';
import { QueryFailedError } from 'typeorm';
import { AppError } from '#kernel/errors/app-error';

interface DriverError {
  readonly code?: string;
  readonly routine?: string;
  readonly constraint?: string;
  readonly detail?: string;
  readonly message?: string;
}

const RETRYABLE = new Set(['40001', '40P01']);
const BAD_VALUE = new Set(['22P02', '22021', '22P05', '22003', '22001', '22007', '22008']);
/** CHECK and NOT NULL violations. */
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
/** A timeout that this service sets has expired: lock, statement, idle transaction. */
const TOO_SLOW = new Set(['55P03', '57014', '25P03']);
/** The server is a standby that has not been promoted yet. */
const READ_ONLY = '25006';

const driverErrorOf = (error: unknown): DriverError | null => {
  const source: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return types.isNativeError(source) ? source : null;
};

/** A serialization failure or a deadlock. A retry of the transaction can succeed. */
export const isRetryable = (error: unknown): boolean => RETRYABLE.has(driverErrorOf(error)?.code ?? '');

/** A prepared statement whose result has other columns since a migration. It succeeds when it is sent unprepared. */
export const isStalePlan = (error: unknown): boolean => {
  const driver = driverErrorOf(error);
  return driver?.code === '0A000' && driver.routine === 'RevalidateCachedQuery';
};

/** A lock timeout, a deadlock or a serialization failure. */
export const isLockedOut = (error: unknown): boolean => isRetryable(error) || driverErrorOf(error)?.code === '55P03';

/** The role lacks a privilege, or the table is append-only. The service or its configuration is at fault, not the client. */
export const isForbidden = (error: unknown): boolean => driverErrorOf(error)?.code === '42501';

/**
 * A CHECK or NOT NULL violation, which validation should have prevented. The client gets a `validation_error`, because no input may
 * cause a 500, and the log gets an error, because the validation is incomplete.
 */
export const isBrokenRule = (error: unknown): boolean => BROKEN_RULE.has(driverErrorOf(error)?.code ?? '');

/** The name of the violated constraint; null when the error names none. */
export const violatedConstraint = (error: unknown): string | null => driverErrorOf(error)?.constraint ?? null;

/**
 * Maps a database error to an API error, by SQLSTATE (PostgreSQL, appendix A). Repositories rely on constraints, and this function turns
 * violations into conflicts. Null when the error has no meaning for a client.
 */
export function databaseErrorToAppError(error: unknown): AppError | null {
  const driver = driverErrorOf(error);
  const code = driver?.code ?? '';
  if (code === '23505') return alreadyExists(driver, error);
  if (code === '23503') return dependency(driver, error);
  if (BAD_VALUE.has(code) || BROKEN_RULE.has(code))
    return new AppError('validation_error', {
      message: 'A value cannot be stored. Check the text and numbers of the request.',
      cause: error,
    });
  if (RETRYABLE.has(code) || TOO_SLOW.has(code) || isStalePlan(error)) return tooSlow(error);
  return isDatabaseUnavailable(error) ? unreachable(error) : null;
}

/** The database is unreachable, starting, stopping or read-only, so every statement fails. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const driver = driverErrorOf(error);
  const code = driver?.code ?? '';
  return UNREACHABLE.has(code) || code === READ_ONLY || /^(08|53|57P0)/.test(code) || isConnectionLost(driver);
}

export const unreachable = (cause: unknown): AppError =>
  new AppError('storage_backend_unavailable', {
    // The connection may have been lost after a commit, so the message does not promise that nothing was changed.
    message: 'The database is unavailable. Retry shortly with the same Idempotency-Key.',
    cause,
  });

const tooSlow = (cause: unknown): AppError =>
  new AppError('storage_backend_unavailable', {
    message: 'The database did not respond in time. Retry shortly with the same Idempotency-Key.',
    cause,
  });

/** pg reports a lost connection, and a pool without a free one, by messages without a code. */
const isConnectionLost = (driver: DriverError | null): boolean =>
  /timeout exceeded when trying to connect|Connection terminated|terminating connection|is not queryable/i.test(
    driver?.message ?? '',
  );

/** In `Key (organization_id, name)=(…) already exists.` the last column holds the value that the client chose. */
function alreadyExists(driver: DriverError | null, cause: unknown): AppError {
  const column = /^Key \(.*?([a-z_]+)\)+=/.exec(driver?.detail ?? '')?.[1];
  const message = column ? `The same ${column} already exists. Choose another.` : undefined;
  return new AppError('already_exists', { ...(message && { message }), cause });
}

/** A foreign key violation: a referenced row was to be deleted, or a row was to reference one that was just deleted. */
function dependency(driver: DriverError | null, cause: unknown): AppError {
  const gone = /is not present in table/.test(driver?.detail ?? '');
  if (gone) return new AppError('not_found', { message: 'A referenced resource was just deleted.', cause });
  const table = /from table "([a-z_]+)"/.exec(driver?.detail ?? '')?.[1];
  const message = table ? `A ${table.replaceAll('_', ' ')} still uses it. Delete that first.` : undefined;
  return new AppError('dependency_exists', { ...(message && { message }), cause });
}
