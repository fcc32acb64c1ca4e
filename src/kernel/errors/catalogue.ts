/** The closed set of error codes. Clients match on them, so renaming one is a breaking change. */
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
  /** Default message: what is wrong, then what to do. The code that throws may give a more specific one. */
  readonly message: string;
  /** Log level. Client errors are never above `warn`. */
  readonly level: 'info' | 'warn' | 'error';
  /** Default `Retry-After` in seconds. */
  readonly retryAfterSeconds?: number;
}

/**
 * Every error: case → code, status, default message, log level. A case is named after its code, except where one code has
 * two statuses.
 */
export const ERROR_CATALOGUE = {
  not_found: {
    code: 'not_found',
    status: 404,
    message: 'No resource exists at this URL. Check the path and the ids in it.',
    level: 'info',
  },
  already_exists: {
    code: 'already_exists',
    status: 409,
    message: 'The resource already exists. Use it, or choose other values.',
    level: 'info',
  },
  dependency_exists: {
    code: 'dependency_exists',
    status: 409,
    message: 'Other resources depend on this one. Remove them first.',
    level: 'info',
  },
  invalid_input: {
    code: 'invalid_input',
    status: 400,
    message: 'A value is not accepted. Correct it and send the request again.',
    level: 'info',
  },
  /**
   * `invalid_input` with status 416: a range that starts after the end of the file (RFC 9110, section 15.5.17), which clients that
   * resume need.
   */
  range_not_satisfiable: {
    code: 'invalid_input',
    status: 416,
    message: 'The requested range starts after the end of the file. Request a range within details.size_bytes.',
    level: 'info',
  },
  validation_error: {
    code: 'validation_error',
    status: 400,
    message: 'The request does not match the schema of this route. Correct the fields that details.fields lists.',
    level: 'info',
  },
  unauthorized: {
    code: 'unauthorized',
    status: 401,
    message: 'Authentication is required. Log in, or send a valid token as "Authorization: Bearer <token>".',
    level: 'info',
  },
  permission_denied: {
    code: 'permission_denied',
    status: 403,
    message: 'The resource does not exist, or this credential has no access to it. Check the ids and the credential.',
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
    message: 'Your e-mail address is not verified. Open the link in the verification mail, or request a new one.',
    level: 'info',
  },
  operation_not_allowed: {
    code: 'operation_not_allowed',
    status: 400,
    message: 'The operation is not possible in the current state. Change the state first.',
    level: 'info',
  },
  /** `operation_not_allowed` with status 403: a long-lived token on a route that requires an interactive login. */
  interactive_login_required: {
    code: 'operation_not_allowed',
    status: 403,
    message: 'This route requires an interactive login. Send an access JWT from POST /api/v1/login/email.',
    level: 'info',
  },
  /** `operation_not_allowed` with status 409: the request is about an object that another one has replaced. */
  not_current: {
    code: 'operation_not_allowed',
    status: 409,
    message: 'Another object replaced this one. Use the current one.',
    level: 'info',
  },
  quota_exceeded: {
    code: 'quota_exceeded',
    status: 400,
    message: 'A quota is exhausted. Remove what you no longer need.',
    level: 'info',
  },
  rate_limit_exceeded: {
    code: 'rate_limit_exceeded',
    status: 429,
    message: 'Too many requests. Wait for the seconds in Retry-After, then retry.',
    level: 'info',
    retryAfterSeconds: 1,
  },
  spend_cap_exceeded: {
    code: 'spend_cap_exceeded',
    status: 402,
    message: "The organization's spend cap for this month is reached. Raise the cap, or wait until next month.",
    level: 'info',
  },
  prepaid_credit_exhausted: {
    code: 'prepaid_credit_exhausted',
    status: 402,
    message: "The organization's credit does not cover this operation. Top up, then retry.",
    level: 'info',
  },
  payload_too_large: {
    code: 'payload_too_large',
    status: 413,
    message: 'The body is larger than the service accepts. Send a smaller one.',
    level: 'info',
  },
  storage_backend_unavailable: {
    code: 'storage_backend_unavailable',
    status: 503,
    message: 'A storage backend is unavailable. Nothing was changed. Retry after the seconds in Retry-After.',
    level: 'warn',
    retryAfterSeconds: 5,
  },
  internal_error: {
    code: 'internal_error',
    status: 500,
    message: 'Internal error. Quote the request id when you report it.',
    level: 'error',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCase = keyof typeof ERROR_CATALOGUE;
