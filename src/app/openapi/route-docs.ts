import { ERROR_CATALOGUE, type ErrorCase } from '#kernel/errors/catalogue';
import { credentialAccessOf, type DeclaredRoute, isGated, needsVerified } from '../routes';
import { errorExampleRef, type HeaderName, headerRefs } from './components';

interface Parameter {
  readonly name: string;
  readonly in: string;
  required?: boolean;
  description?: string;
  schema?: object;
}

export interface Reference {
  readonly $ref: string;
}

export interface Answer {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, object>;
}

/** An operation of the document, as far as it is completed here. */
export interface Operation {
  summary?: string;
  parameters?: Parameter[];
  requestBody?: object;
  responses: Record<string, Answer | Reference>;
  security?: object[];
  [extension: `x-${string}`]: unknown;
}

/** Error answers that operations share, by the name of what they tell. */
export type SharedResponses = Record<string, Answer>;

/** Adds to an operation what the route's declarations say beyond its signature: access, errors, headers. */
export function describeRoute(operation: Operation, route: DeclaredRoute, shared: SharedResponses): void {
  operation['x-access'] = accessOf(route);
  operation.security ??= [];
  addPathParameters(operation, route);
  if (credentialAccessOf(route)?.by.includes('project-token')) operation.parameters?.forEach(leaveOutBound);
  for (const [status, answer] of Object.entries(operation.responses)) describeAnswer(answer, Number(status), route);
  addErrors(operation, route, shared);
}

/** What the path names and no decorator of the route describes, for instance because a class of routes shares it. */
function addPathParameters(operation: Operation, { template }: DeclaredRoute): void {
  const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const named = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const missing = named.filter((name) => !described.includes(name)).map(pathParameter);
  if (missing.length > 0) operation.parameters = [...missing, ...(operation.parameters ?? [])];
}

const pathParameter = (name: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  ...(name === 'invite_token' && { description: 'The entire credential.' }),
  schema: { type: 'string', ...(name.endsWith('_id') && { format: 'uuid' }) },
});

/** `x-access`, as clients and tests read it. */
export interface XAccess {
  readonly credentials: readonly string[];
  readonly role: { readonly organization: 'member' | readonly string[] | null; readonly project: string | null } | null;
  readonly scope: string | null;
  readonly verified: boolean;
  readonly billing_gated: boolean;
  readonly idempotent: boolean;
  readonly rate_class: string | undefined;
}

/** What a route declares, as contract §18 wants it shown. */
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
    shared[name] ??= errorAnswer(status, cases, servesHtml);
    operation.responses[status] ??= { $ref: `#/components/responses/${name}` };
  }
}

/** A project access token brings its parents with it (contract §7). */
function leaveOutBound(parameter: Parameter): void {
  if (parameter.in !== 'query' || !['organization_id', 'project_id'].includes(parameter.name)) return;
  parameter.required = false;
  parameter.description = `${parameter.description ?? ''} May be left out with a project access token.`.trim();
}

/** On every answer. */
const COMMON_HEADERS: readonly HeaderName[] = ['RequestId', 'RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset'];

function describeAnswer(answer: Answer | Reference, status: number, { idempotent }: DeclaredRoute): void {
  if ('$ref' in answer) return;
  const names: HeaderName[] = [...COMMON_HEADERS];
  if (idempotent) names.push('IdempotencyReplayed');
  if (status >= 300 && status < 304) names.push('Location');
  answer.headers = { ...headerRefs(names), ...answer.headers };
}

function errorAnswer(status: number, cases: readonly ErrorCase[], servesHtml: boolean): Answer {
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

/** What a route takes: decides which faults of input it can have. */
export interface RouteInput {
  readonly hasBody: boolean;
  readonly hasParameters: boolean;
}

interface Consequence {
  readonly when: (route: DeclaredRoute, input: RouteInput) => boolean;
  readonly cases: readonly ErrorCase[];
}

/** The ways to fail that follow from what a route declares besides its errors. */
const CONSEQUENCES: readonly Consequence[] = [
  { when: () => true, cases: ['rate_limit_exceeded', 'internal_error', 'storage_backend_unavailable'] },
  { when: (_, { hasBody, hasParameters }) => hasBody || hasParameters, cases: ['validation_error'] },
  { when: (_, { hasBody }) => hasBody, cases: ['payload_too_large'] },
  { when: ({ path }) => /:\w/.test(path), cases: ['not_found'] },
  // A key that was used for another body, or whose first request is still under way (contract §13).
  { when: ({ idempotent }) => idempotent !== undefined, cases: ['invalid_input', 'already_exists'] },
  // Admission (specification §7 rule 2), and the bound on open reservations.
  { when: isGated, cases: ['prepaid_credit_exhausted', 'spend_cap_exceeded', 'quota_exceeded'] },
  // The refusals of contract §2.
  { when: (route) => credentialAccessOf(route) !== null, cases: ['unauthorized', 'permission_denied'] },
  { when: rejectsLongLived, cases: ['interactive_login_required'] },
  { when: asksForRole, cases: ['insufficient_role'] },
  { when: needsVerified, cases: ['email_not_verified'] },
];

/** Every way in which a route can fail, by status. */
export function errorsOf(route: DeclaredRoute, input: RouteInput): ReadonlyMap<number, readonly ErrorCase[]> {
  const implied = CONSEQUENCES.filter(({ when }) => when(route, input)).flatMap(({ cases }) => cases);
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

function asksForRole(route: DeclaredRoute): boolean {
  const access = credentialAccessOf(route);
  return access?.organization !== undefined || access?.project !== undefined;
}
