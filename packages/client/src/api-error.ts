import { helpOfError } from './help';

/** The error codes of the API. */
export type ErrorCode = string;

/** A response with a status of 400 or above, or a failure to get any response (`status` 0, code `network_error`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    /** Seconds after which a retry is useful; null when the response does not say. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }

  /** The id under which the operator finds the request in the log; null without a response. */
  get requestId(): string | null {
    const id = this.details['request_id'];
    return typeof id === 'string' ? id : null;
  }

  /** The machine-readable reason beside the code; null when there is none. */
  get reason(): string | null {
    const { reason } = this.details;
    return typeof reason === 'string' ? reason : null;
  }

  /** The path of the page that explains the error; null when the response is not one of the service itself. */
  get help(): string | null {
    return this.requestId === null ? null : helpOfError(this.code, this.reason);
  }

  /** Messages by the name of the field they belong to. */
  get fields(): ReadonlyMap<string, string> {
    const { fields } = this.details;
    if (!Array.isArray(fields)) return new Map();
    return new Map(
      (fields as { field: string; messages: readonly string[] }[]).map(({ field, messages }) => [
        field,
        messages.join(' '),
      ]),
    );
  }
}

/** Reads the error envelope `{error, message, details}`. The response may come from another server than the API. */
export async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  return envelopeToApiError(response.status, body, response.headers.get('Retry-After'));
}

/** The error of a response that was not received by `fetch`. `body` is its parsed JSON; null when it is none. */
export function envelopeToApiError(status: number, body: unknown, retryAfter: string | null): ApiError {
  const seconds = Number(retryAfter ?? Number.NaN);
  const { error, message, details } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return new ApiError(
    status,
    typeof error === 'string' ? error : 'internal_error',
    typeof message === 'string' ? message : messageOf(status),
    typeof details === 'object' ? { ...details } : {},
    Number.isFinite(seconds) ? seconds : null,
  );
}

/** The message for a response without an envelope, which is not one of the service itself. */
const messageOf = (status: number): string =>
  status === 413
    ? 'A proxy in front of the service rejected the size of the request (status 413). Raise its limit for request bodies.'
    : `The service responded with status ${status}.`;
