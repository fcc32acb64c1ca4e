/** The specification's closed set of error codes (§7). Clients match on them; renaming one is a breaking change. */
export type ErrorCode =
  | 'not_found'
  | 'already_exists'
  | 'dependency_exists'
  | 'invalid_input'
  | 'validation_error'
  | 'unauthorized'
  | 'permission_denied'
  | 'insufficient_role'
  | 'email_not_verified'
  | 'operation_not_allowed'
  | 'quota_exceeded'
  | 'rate_limit_exceeded'
  | 'spend_cap_exceeded'
  | 'prepaid_credit_exhausted'
  | 'payload_too_large'
  | 'storage_backend_unavailable'
  | 'internal_error';

export interface ErrorEntry {
  readonly code: ErrorCode;
  readonly status: number;
  /** Shown when the place that throws has nothing better to say. Says what to do next. */
  readonly message: string;
  /** How loud the log line is: a client's mistake is never above `warn`. */
  readonly level: 'info' | 'warn' | 'error';
  /** Seconds for the `Retry-After` header, where the specification asks for one. */
  readonly retryAfterSeconds?: number;
}

/**
 * Every way a request can fail: case → code, status, default message, log level. A case is named like its code, except
 * where one code has two statuses (specification §7: `operation_not_allowed`).
 */
export const ERROR_CATALOGUE = {
  not_found: { code: 'not_found', status: 404, message: 'There is nothing at this address.', level: 'info' },
  already_exists: { code: 'already_exists', status: 409, message: 'It already exists.', level: 'info' },
  dependency_exists: {
    code: 'dependency_exists',
    status: 409,
    message: 'Something still depends on it. Remove that first.',
    level: 'info',
  },
  invalid_input: { code: 'invalid_input', status: 400, message: 'A value cannot be accepted.', level: 'info' },
  /** The same code, as 416: a range that begins behind the end of a file (RFC 9110 §15.5.17; clients that resume need it). */
  range_not_satisfiable: {
    code: 'invalid_input',
    status: 416,
    message: 'The file ends before the range asked for begins.',
    level: 'info',
  },
  validation_error: {
    code: 'validation_error',
    status: 400,
    message: 'The request is not shaped as this route expects. See details.fields.',
    level: 'info',
  },
  unauthorized: {
    code: 'unauthorized',
    status: 401,
    message: 'Log in, or send a valid token as "Authorization: Bearer <token>".',
    level: 'info',
  },
  permission_denied: {
    code: 'permission_denied',
    status: 403,
    message: 'This credential has no access here, or there is nothing here.',
    level: 'info',
  },
  insufficient_role: {
    code: 'insufficient_role',
    status: 403,
    message: 'Your role does not allow this. Ask an administrator of the organization.',
    level: 'info',
  },
  email_not_verified: {
    code: 'email_not_verified',
    status: 403,
    message: 'Verify your e-mail address first: open the link we mailed you, or ask for a new one.',
    level: 'info',
  },
  operation_not_allowed: {
    code: 'operation_not_allowed',
    status: 400,
    message: 'This is not possible in the present state.',
    level: 'info',
  },
  /** The same code, as 403: a long-lived token on a surface that wants an interactive login (specification §5). */
  interactive_login_required: {
    code: 'operation_not_allowed',
    status: 403,
    message: 'This route needs an interactive login: send an access JWT from POST /api/v1/login/email.',
    level: 'info',
  },
  quota_exceeded: { code: 'quota_exceeded', status: 400, message: 'A quota is used up.', level: 'info' },
  rate_limit_exceeded: {
    code: 'rate_limit_exceeded',
    status: 429,
    message: 'Too many requests. Wait for the seconds in Retry-After, then try again.',
    level: 'info',
    retryAfterSeconds: 1,
  },
  spend_cap_exceeded: {
    code: 'spend_cap_exceeded',
    status: 402,
    message: "The organization's spend cap for this month is reached. Raise it, or wait for the next month.",
    level: 'info',
  },
  prepaid_credit_exhausted: {
    code: 'prepaid_credit_exhausted',
    status: 402,
    message: "The organization's credit does not cover this. Top up, then try again.",
    level: 'info',
  },
  payload_too_large: {
    code: 'payload_too_large',
    status: 413,
    message: 'That is larger than this service accepts.',
    level: 'info',
  },
  storage_backend_unavailable: {
    code: 'storage_backend_unavailable',
    status: 503,
    message: 'A storage backend cannot be reached at the moment. Nothing was changed; try again shortly.',
    level: 'warn',
    retryAfterSeconds: 5,
  },
  internal_error: {
    code: 'internal_error',
    status: 500,
    message: 'Something went wrong on our side. Nothing more is known to you than the request id.',
    level: 'error',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCase = keyof typeof ERROR_CATALOGUE;
