import { type INestApplication } from '@nestjs/common';
import { type OpenAPIObject } from '@nestjs/swagger';
import { limitVariableOf } from '#infra/config/sections/limits-config';
import { type LimitName, LIMITS, PER_EMAIL, type RequestLimit } from '#infra/rate-limit/limits';
import { accessOf, errorsOf, inputOf, type Operation } from '#app/openapi/route-docs';
import { type DeclaredRoute, declaredRoutes } from '#app/routes';
import { code, codes, page, table } from './markdown';

const INTRO = `All routes with their access rules and errors, generated from the declarations that the guards enforce. ADMIN satisfies every
organization role. *verified*: requires a verified e-mail. *gated*: requires admission by billing, else 402.`;

const ALWAYS = ['internal_error', 'rate_limit_exceeded', 'storage_backend_unavailable'];

/** A table of all routes with their access, limits and errors. */
export function accessPage(app: INestApplication, document: OpenAPIObject): string {
  const routes = [...declaredRoutes(app)].sort(byAddress);
  return page(
    'Access',
    INTRO,
    table(
      ['route', 'credentials', 'role', 'scope', 'also', 'limit', `errors in addition to ${codes(ALWAYS)}`],
      routes.map((route) => row(route, document)),
    ),
    '## Rate limits',
    'Every route counts for itself: per developer or project, or per address for other requests; some classes also count per e-mail address in the body.',
    table(
      ['class', 'what', 'requests', 'per seconds', 'variable', 'requests per e-mail', 'per seconds'],
      Object.entries(LIMITS).map(([name, limit]) => [
        name,
        limit.describe,
        ...numbers(limit),
        code(limitVariableOf(name as LimitName)),
        ...numbers((PER_EMAIL as Partial<Record<string, RequestLimit>>)[name]),
      ]),
    ),
  );
}

const numbers = (limit?: RequestLimit): string[] => [String(limit?.limit ?? ''), String(limit?.windowSeconds ?? '')];

const byAddress = (a: DeclaredRoute, b: DeclaredRoute): number =>
  a.template === b.template ? a.method.localeCompare(b.method, 'en') : a.template < b.template ? -1 : 1;

function row(route: DeclaredRoute, document: OpenAPIObject): string[] {
  const access = accessOf(route);
  const operations = document.paths[route.template] as unknown as Record<string, Operation>;
  const operation = operations[route.method.toLowerCase()] ?? { responses: {} };
  const errors = [...errorsOf(route, inputOf(operation)).values()].flat().filter((name) => !ALWAYS.includes(name));
  const also = { verified: access.verified, gated: access.billing_gated, idempotent: access.idempotent };
  return [
    code(`${route.method} ${route.template}`),
    access.credentials.length > 0 ? access.credentials.join(', ') : 'none',
    [access.role?.organization ?? [], access.role?.project ?? []].flat().join(' or '),
    access.scope ? code(access.scope) : '',
    Object.entries(also)
      .filter(([, holds]) => holds)
      .map(([name]) => name)
      .join(', '),
    access.rate_class ?? '',
    errors.join(', '),
  ];
}
