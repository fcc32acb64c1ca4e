import { ERROR_CATALOGUE, type ErrorCase, type ErrorEntry } from './catalogue';

/** Maximum number of fields that a validation error names. */
export const MAX_ERROR_FIELDS = 50;

/** An uploaded file exceeds the size limit. */
export const fileTooLarge = (maxBytes: number): AppError =>
  new AppError('payload_too_large', {
    message: `The file is larger than the limit of ${maxBytes} bytes.`,
    details: { max_bytes: maxBytes },
  });

export interface AppErrorOptions {
  /** For people: what is wrong, then what to do. Defaults to the catalogue's message. */
  readonly message?: string;
  /** For programs: the `details` object of the response. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Overrides the catalogue's `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** The cause. It is logged, but never sent to the client. */
  readonly cause?: unknown;
}

/** An error that a client receives. `ErrorFilter` turns it into the envelope `{error, message, details}`. */
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

  /** A resource that does not exist, or not under the given parents: the client cannot tell the two apart. */
  static notFound(what: string): AppError {
    return new AppError('not_found', { message: `There is no such ${what}.` });
  }

  /** A value is well-formed but not accepted. `reason` is a stable word for programs. */
  static invalidInput(reason: string, message: string, details: Record<string, unknown> = {}): AppError {
    return new AppError('invalid_input', { message, details: { reason, ...details } });
  }

  /** The named fields do not match the schema. The error names the first 50 of them. */
  static validation(fields: readonly { field: string; messages: readonly string[] }[]): AppError {
    return new AppError('validation_error', { details: { fields: fields.slice(0, MAX_ERROR_FIELDS) } });
  }
}
