import { type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CATALOGUE, type ErrorCase, type ErrorEntry } from '#kernel/errors/catalogue';

/** The groups of operations, in the order of a newcomer's way. A tag that is used stands here. */
export const TAGS: Readonly<Record<string, string>> = {
  'Developer account': 'Signing up, verifying the e-mail, resetting the password, the profile.',
  'Login and session': 'Access JWTs and refresh tokens, as JSON and as cookies.',
  Organizations: 'The boundary of billing and membership.',
  Audit: 'Every change of state, by whom, when and from where.',
  Billing: 'Plan, credit, caps, usage and the ledger of an organization.',
  Storage: "An organization's own storage account (BYOSA): its artifacts go there, and its meters rest.",
  Projects: 'An app that is distributed.',
  'Project access tokens': 'Credentials for CI, owned by a project.',
  'Personal access tokens': 'Credentials for scripts, bound to a developer and an organization.',
  Builds: 'Uploading, finding and downloading artifacts.',
  Channels: 'Named slots of a project, each with an install link that follows its releases.',
  Releases: 'Builds promoted to channels; the newest per platform is current.',
  Testers: 'Those who install builds without an account: adding, inviting, subscribing and erasing them.',
  Install: 'What testers see: the token in the path is the entire credential.',
  Health: 'For balancers and monitors.',
};

/** Headers of answers; an operation refers to them by name. */
export const HEADERS = {
  RequestId: header(
    'X-Request-Id',
    "The request's id: yours, if you sent a sane one. Name it when you report a fault.",
  ),
  RateLimitLimit: header('RateLimit-Limit', 'Requests per window of the class of this route.', 'integer'),
  RateLimitRemaining: header('RateLimit-Remaining', 'Requests left in this window.', 'integer'),
  RateLimitReset: header('RateLimit-Reset', 'Seconds until the window ends.', 'integer'),
  RetryAfter: header('Retry-After', 'Seconds to wait before trying again.', 'integer'),
  IdempotencyReplayed: header('Idempotency-Replayed', '`true`: this is the stored answer to an earlier request.'),
  WwwAuthenticate: header('WWW-Authenticate', 'RFC 9110 §11.6.1.'),
  Location: header('Location', 'Where to go on.'),
} as const;

export type HeaderName = keyof typeof HEADERS;

/** References to headers, as an answer lists them. */
export const headerRefs = (names: readonly HeaderName[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [HEADERS[name].name, { $ref: `#/components/headers/${name}` }]));

export const errorExampleRef = (errorCase: ErrorCase): object => ({ $ref: `#/components/examples/${errorCase}` });

/** What operations refer to: the error envelope, one example for each case of the catalogue, the headers. */
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

/** Specification §7. */
const ERROR_SCHEMA = {
  type: 'object' as const,
  description: 'Every 4xx and 5xx.',
  required: ['error', 'message', 'details'],
  properties: {
    error: {
      type: 'string',
      description: 'Match on it: it never changes.',
      enum: [...new Set(Object.values(ERROR_CATALOGUE).map(({ code }) => code))],
    },
    message: { type: 'string', description: 'For people.' },
    details: {
      type: 'object',
      additionalProperties: true,
      properties: { request_id: { type: 'string', description: 'The same as in X-Request-Id.' } },
    },
  },
};
