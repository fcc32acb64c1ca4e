import { ERROR_CATALOGUE, type ErrorCase, type ErrorEntry } from './catalogue';

export interface AppErrorOptions {
  /** For people: what is wrong and what to do next. Defaults to the catalogue's message. */
  readonly message?: string;
  /** For clients: always an object in the envelope (specification §7). */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Overrides the catalogue's `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** What caused it: logged, never shown. */
  readonly cause?: unknown;
}

/** The only thing our code throws. One filter turns it into the envelope `{error, message, details}`. */
export class AppError extends Error {
  readonly entry: ErrorEntry;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly errorCase: ErrorCase,
    options: AppErrorOptions = {},
  ) {
    const entry: ErrorEntry = ERROR_CATALOGUE[errorCase];
    super(options.message ?? entry.message, { cause: options.cause });
    this.name = 'AppError';
    this.entry = entry;
    this.details = options.details ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds ?? entry.retryAfterSeconds;
  }

  /** A resource id that is not under the given parents, or does not exist: the same answer. */
  static notFound(what: string): AppError {
    return new AppError('not_found', { message: `There is no such ${what}.` });
  }

  /** The shape is right, the value is not. `reason` is a stable word for programs. */
  static invalidInput(reason: string, message: string, details: Record<string, unknown> = {}): AppError {
    return new AppError('invalid_input', { message, details: { reason, ...details } });
  }

  /** The shape is wrong in the named fields. */
  static validation(fields: readonly { field: string; messages: readonly string[] }[]): AppError {
    return new AppError('validation_error', { details: { fields } });
  }
}
