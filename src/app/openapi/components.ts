import { type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CATALOGUE, type ErrorCase, type ErrorEntry } from '#kernel/errors/catalogue';

/** Tags of the operations, in the order in which a new user needs them. Every tag that is used must be listed. */
export const TAGS: Readonly<Record<string, string>> = {
  'Developer account': 'Sign up, verify the e-mail address, reset the password, edit the profile.',
  'Login and session': 'Access JWTs and refresh tokens, as JSON and as cookies.',
  Organizations: 'Own projects, have members and are billed.',
  Audit: 'Every change of state: who made it, when, and from which address.',
  Search: 'Projects, builds, channels and testers by text.',
  Events: 'The changes of an organization, as a stream.',
  Billing: 'Plan, credit, spend cap, usage and ledger of an organization.',
  Storage:
    "An organization's own storage account (BYOSA): its artifacts are stored there, and their storage and traffic are not metered.",
  Projects: 'Apps that are distributed.',
  'Project access tokens': 'Credentials for CI that belong to a project.',
  'Personal access tokens': 'Credentials for scripts that belong to a developer and are limited to an organization.',
  Builds: 'Upload, find and download artifacts.',
  Channels: 'Named release lines of a project, each with an install link to its current releases.',
  Links:
    'Named install links of builds and channels, with their rules: password, sign-in, expiry, maximum of downloads, terms.',
  Releases: 'Builds that were promoted to a channel. The newest release of each platform is current.',
  Testers: 'People who install builds without an account: add, invite, subscribe and erase them.',
  Devices: 'The iPhones and iPads of testers: which builds include them, and files for their registration with Apple.',
  Webhooks: 'Endpoints that are informed of events, and the messages that they got.',
  Updates:
    'Update keys, and the routes by which installed apps find updates, where the key in the path is the only credential.',
  Install: 'Routes for testers. The token in the path is the only credential.',
  Service: 'How the service is set up.',
  Health: 'Probes for load balancers and monitoring.',
};

const SESSION_COOKIES =
  '`dfdeveloper` holds the access JWT (`Path=/`, ten minutes), `dfdeveloper_refresh` the refresh token (`Path=/api/v1/login`, 30 days). With an https address, `__Host-dfdeveloper_session` proves that this host set them (`Path=/`, 30 days): browsers must send it too.';
const COOKIE_ATTRIBUTES =
  'All are `HttpOnly` and `SameSite=Lax`, and `Secure` in production or when the service has an https address. Programs ignore them and use the body.';

/** Response headers. Operations reference them by name. */
export const HEADERS = {
  RequestId: header('X-Request-Id', 'Id of the request, made by the service. Quote it when you report an error.'),
  RateLimitLimit: header('RateLimit-Limit', "Requests per window that the route's rate-limit class allows.", 'integer'),
  RateLimitRemaining: header('RateLimit-Remaining', 'Requests that remain in this window.', 'integer'),
  RateLimitReset: header('RateLimit-Reset', 'Seconds until the window ends.', 'integer'),
  RetryAfter: header('Retry-After', 'Seconds to wait before retrying.', 'integer'),
  IdempotencyReplayed: header(
    'Idempotency-Replayed',
    '`true` if this is the stored response of an earlier request with the same `Idempotency-Key`.',
  ),
  WwwAuthenticate: header('WWW-Authenticate', 'Authentication scheme (RFC 9110, section 11.6.1).'),
  Location: header('Location', 'URL to continue with.'),
  LoginCookies: header(
    'Set-Cookie',
    `Sent for each cookie. ${SESSION_COOKIES} \`dfdeveloper_device\` marks the device for a year (\`Path=/api/v1/login\`). ${COOKIE_ATTRIBUTES}`,
  ),
  SessionCookies: header('Set-Cookie', `Sent for each cookie. ${SESSION_COOKIES} ${COOKIE_ATTRIBUTES}`),
  ClearedCookies: header(
    'Set-Cookie',
    'Sent for each cookie: removes `dfdeveloper`, `dfdeveloper_refresh` and the proof of the session.',
  ),
} as const;

export type HeaderName = keyof typeof HEADERS;

/** References to headers, in the form that a response lists them. */
export const headerRefs = (names: readonly HeaderName[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [HEADERS[name].name, { $ref: `#/components/headers/${name}` }]));

export const errorExampleRef = (errorCase: ErrorCase): object => ({ $ref: `#/components/examples/${errorCase}` });

/** Shared components: the error schema, an example of each error, the headers. */
export const components = (): Pick<NonNullable<OpenAPIObject['components']>, 'schemas' | 'examples' | 'headers'> => ({
  schemas: { Error: ERROR_SCHEMA },
  examples: Object.fromEntries(
    Object.entries<ErrorEntry>(ERROR_CATALOGUE).map(([name, entry]) => [name, exampleOf(name as ErrorCase, entry)]),
  ),
  headers: Object.fromEntries(
    Object.entries(HEADERS).map(([name, { description, schema }]) => [name, { description, schema }]),
  ),
});

function header(
  name: string,
  description: string,
  type: 'string' | 'integer' = 'string',
): { name: string; description: string; schema: { type: string } } {
  return { name, description, schema: { type } };
}

const REQUEST_ID = '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10';

const DETAILS: Partial<Record<ErrorCase, object>> = {
  validation_error: { fields: [{ field: 'name', messages: ['name must be longer than or equal to 1 characters'] }] },
  invalid_input: { reason: 'not_an_archive' },
  range_not_satisfiable: { size_bytes: 48_210 },
  payload_too_large: { max_bytes: 2_147_483_648 },
  insufficient_role: { required_role: 'MANAGE_PROJECT' },
  quota_exceeded: { quota: 'projects_per_organization', limit: 1000 },
  rate_limit_exceeded: { retry_after_seconds: 1 },
  prepaid_credit_exhausted: { required_micro_usd: 1200, available_micro_usd: 360 },
  spend_cap_exceeded: { required_micro_usd: 1200, available_micro_usd: 0 },
};

const exampleOf = (errorCase: ErrorCase, { code, message }: ErrorEntry): { summary: string; value: object } => ({
  summary: message,
  value: { error: code, message, details: { ...DETAILS[errorCase], request_id: REQUEST_ID } },
});

const ERROR_SCHEMA = {
  type: 'object' as const,
  description: 'Body of every 4xx and 5xx response.',
  required: ['error', 'message', 'details'],
  properties: {
    error: {
      type: 'string',
      description: 'Stable error code for programs.',
      enum: [...new Set(Object.values(ERROR_CATALOGUE).map(({ code }) => code))],
    },
    message: { type: 'string', description: 'Explanation for people. It may change.' },
    details: {
      type: 'object',
      description:
        'Facts about this error, for programs. Which fields it has besides `request_id` depends on the code.',
      additionalProperties: true,
      properties: { request_id: { type: 'string', description: 'Same value as the X-Request-Id header.' } },
    },
  },
};
