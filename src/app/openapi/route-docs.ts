import { ERROR_CATALOGUE, type ErrorCase } from '#kernel/errors/catalogue';
import { EXAMPLE, exampleKindOf } from '#infra/http/dto/example';
import { credentialAccessOf, type DeclaredRoute, isGated, needsVerified } from '../routes';
import { errorExampleRef, type HeaderName, headerRefs } from './components';

interface Parameter {
  readonly name: string;
  readonly in: string;
  required?: boolean;
  description?: string;
  schema?: object;
  [extension: `x-${string}`]: unknown;
}

interface Reference {
  readonly $ref: string;
}

interface OperationResponse {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, object>;
}

/** The parts of an OpenAPI operation that are completed here. */
export interface Operation {
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Record<string, object> };
  responses: Record<string, OperationResponse | Reference>;
  security?: object[];
  [extension: `x-${string}`]: unknown;
}

/** Error responses that operations share, by name. */
export type SharedResponses = Record<string, OperationResponse>;

/** Adds access, errors and headers from the route's declarations to an operation. */
export function describeRoute(operation: Operation, route: DeclaredRoute, shared: SharedResponses): void {
  const description = describeOperation(route);
  if (description) operation.description = description;
  operation['x-access'] = accessOf(route);
  operation.security ??= [];
  addPathParameters(operation, route);
  const schemes = operation.security.flatMap((scheme) => Object.keys(scheme));
  if (schemes.includes(PROJECT_TOKEN))
    operation.parameters?.forEach((parameter) => makeParentOptional(parameter, schemes));
  for (const [status, response] of Object.entries(operation.responses))
    describeResponse(response, Number(status), route);
  addErrors(operation, route, shared);
}

/** Completes path parameters that no decorator of the route describes, for example because several routes share them. */
function addPathParameters(operation: Operation, { template }: DeclaredRoute): void {
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
  for (const parameter of inPath) parameter.description ??= descriptionOf(parameter.name);
  const named = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const missing = named.filter((each) => !inPath.some(({ name }) => name === each)).map(pathParameter);
  if (missing.length > 0) operation.parameters = [...missing, ...(operation.parameters ?? [])];
}

/** Descriptions of path parameters that are not ids. */
const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  invite_token: 'The token of the install link, the last part of its path. It is the only credential.',
  package_file: 'The name of the package as the page links it: `package` and the extension of the artifact.',
};

function descriptionOf(name: string): string | undefined {
  const kind = exampleKindOf(name);
  return PATH_PARAMETERS[name] ?? (kind && `Id of the ${kind}.`);
}

function pathParameter(name: string): Parameter {
  const kind = exampleKindOf(name);
  const description = descriptionOf(name);
  return {
    name,
    in: 'path',
    required: true,
    ...(description && { description }),
    schema: { type: 'string', ...(kind && { format: 'uuid', example: EXAMPLE.ids[kind] }) },
  };
}

/** The `x-access` extension. */
interface XAccess {
  readonly credentials: readonly string[];
  readonly role: { readonly organization: 'member' | readonly string[] | null; readonly project: string | null } | null;
  readonly scope: string | null;
  readonly verified: boolean;
  readonly billing_gated: boolean;
  readonly idempotent: boolean;
  readonly rate_class: string | undefined;
}

/** Returns the declarations of a route as `x-access`. */
export function accessOf(route: DeclaredRoute): XAccess {
  const access = credentialAccessOf(route);
  const { organization = null, project = null, scope = null } = access ?? {};
  return {
    credentials: access?.by ?? (route.access && 'invite' in route.access ? ['invite'] : []),
    role: organization || project ? { organization, project } : null,
    scope,
    verified: needsVerified(route),
    billing_gated: isGated(route),
    idempotent: route.idempotent !== undefined,
    rate_class: route.limit,
  };
}

export const inputOf = ({ requestBody, parameters = [] }: Operation): RouteInput => ({
  hasBody: requestBody !== undefined,
  hasParameters: parameters.length > 0,
});

function addErrors(operation: Operation, route: DeclaredRoute, shared: SharedResponses): void {
  const { servesHtml } = route;
  for (const [status, cases] of errorsOf(route, inputOf(operation))) {
    const name = [...cases, ...(servesHtml ? ['page'] : [])].join('.');
    shared[name] ??= errorResponse(status, cases, servesHtml);
    operation.responses[status] ??= { $ref: `#/components/responses/${name}` };
  }
}

const PROJECT_TOKEN = 'project_access_token';

/**
 * Parent ids are optional with a project access token, which is bound to its project. OpenAPI cannot make a parameter depend on
 * the security scheme, so the description and `x-required-with` say it.
 */
function makeParentOptional(parameter: Parameter, schemes: readonly string[]): void {
  if (parameter.in !== 'query' || !['organization_id', 'project_id'].includes(parameter.name)) return;
  const others = schemes.filter((scheme) => scheme !== PROJECT_TOKEN);
  parameter.required = false;
  parameter['x-required-with'] = others;
  parameter.description = [
    parameter.description,
    `Required with ${others.map((scheme) => `\`${scheme}\``).join(', ')}.`,
    `Optional with \`${PROJECT_TOKEN}\`, which is bound to it: another value than its own is \`403 permission_denied\`.`,
  ].join(' ');
}

const COOKIE_HEADERS = { login: 'LoginCookies', set: 'SessionCookies', cleared: 'ClearedCookies' } as const;

/** Headers of every response. */
const COMMON_HEADERS: readonly HeaderName[] = ['RequestId', 'RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset'];

function describeResponse(
  response: OperationResponse | Reference,
  status: number,
  { idempotent, docs }: DeclaredRoute,
): void {
  if ('$ref' in response) return;
  const names: HeaderName[] = [...COMMON_HEADERS];
  if (idempotent) names.push('IdempotencyReplayed');
  if (docs?.cookies) names.push(COOKIE_HEADERS[docs.cookies]);
  if (status >= 300 && status < 304) names.push('Location');
  response.headers = { ...headerRefs(names), ...response.headers };
}

function errorResponse(status: number, cases: readonly ErrorCase[], servesHtml: boolean): OperationResponse {
  const names: HeaderName[] = [...COMMON_HEADERS];
  if (status === 401) names.push('WwwAuthenticate');
  if (status === 429 || status === 503) names.push('RetryAfter');
  const describe = (name: ErrorCase): string => `\`${ERROR_CATALOGUE[name].code}\`: ${ERROR_CATALOGUE[name].message}`;
  return {
    description: cases.map(describe).join('\n\n'),
    headers: headerRefs(names),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(cases.map((name) => [name, errorExampleRef(name)])),
      },
      ...(servesHtml && { 'text/html': { schema: { type: 'string' } } }),
    },
  };
}

/** The input of a route, which determines the input errors that it can have. */
interface RouteInput {
  readonly hasBody: boolean;
  readonly hasParameters: boolean;
}

interface ImpliedErrors {
  readonly when: (route: DeclaredRoute, input: RouteInput) => boolean;
  readonly cases: readonly ErrorCase[];
}

/** Errors that follow from declarations other than @Errors. */
const IMPLIED_ERRORS: readonly ImpliedErrors[] = [
  { when: () => true, cases: ['rate_limit_exceeded', 'internal_error', 'storage_backend_unavailable'] },
  { when: (_, { hasBody, hasParameters }) => hasBody || hasParameters, cases: ['validation_error'] },
  { when: (_, { hasBody }) => hasBody, cases: ['payload_too_large'] },
  { when: ({ path }) => /:\w/.test(path), cases: ['not_found'] },
  // An Idempotency-Key that was used for another body, or whose first request is still in progress.
  { when: ({ idempotent }) => idempotent !== undefined, cases: ['invalid_input', 'already_exists'] },
  // Billing admission, and the limit of open reservations.
  { when: isGated, cases: ['prepaid_credit_exhausted', 'spend_cap_exceeded', 'quota_exceeded'] },
  // Authentication and authorization.
  { when: (route) => credentialAccessOf(route) !== null, cases: ['unauthorized', 'permission_denied'] },
  { when: rejectsLongLived, cases: ['interactive_login_required'] },
  { when: requiresRole, cases: ['insufficient_role'] },
  { when: needsVerified, cases: ['email_not_verified'] },
];

/** Returns all errors of a route, by status. */
export function errorsOf(route: DeclaredRoute, input: RouteInput): ReadonlyMap<number, readonly ErrorCase[]> {
  const implied = IMPLIED_ERRORS.filter(({ when }) => when(route, input)).flatMap(({ cases }) => cases);
  const byStatus = new Map<number, ErrorCase[]>();
  for (const errorCase of [...new Set([...route.errors, ...implied])].sort()) {
    const { status } = ERROR_CATALOGUE[errorCase];
    byStatus.set(status, [...(byStatus.get(status) ?? []), errorCase]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

function rejectsLongLived(route: DeclaredRoute): boolean {
  const access = credentialAccessOf(route);
  return access !== null && !(access.by.includes('pat') && access.by.includes('project-token'));
}

function requiresRole(route: DeclaredRoute): boolean {
  const access = credentialAccessOf(route);
  return access?.organization !== undefined || access?.project !== undefined;
}

const READ_ONLY = 'It changes nothing, so it can be repeated at any time.';
const WITH_KEY =
  'Send an `Idempotency-Key`. After a timeout, a `429` or a `503`, repeat the request with the same key: the change is made once, and the response is that of the first success.';

/** Returns the description of an operation: its own text, then what may be retried. Undefined when it has no text. */
function describeOperation(route: DeclaredRoute): string | undefined {
  if (!route.docs) return undefined;
  const retry = route.docs.retry ?? impliedRetry(route);
  return [route.docs.description, ...(retry ? [`**Retry:** ${retry}`] : [])].join('\n\n');
}

/** The sentence about retries, as far as it follows from the declarations of the route. */
function impliedRetry({ method, idempotent }: DeclaredRoute): string | undefined {
  if (idempotent) return WITH_KEY;
  return ['GET', 'HEAD'].includes(method) ? READ_ONLY : undefined;
}
