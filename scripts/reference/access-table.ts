import { type INestApplication } from '@nestjs/common';
import { type OpenAPIObject } from '@nestjs/swagger';
import { accessOf, errorsOf, inputOf, type Operation } from '#app/openapi/route-docs';
import { type DeclaredRoute, declaredRoutes } from '#app/routes';
import { LIMIT_CLASSES, type LimitClass, type LimitClassName, PER_EMAIL } from '#infra/rate-limit/limits';
import { code, codes, page, table } from './markdown';

const INTRO = `Every route, who may use it and how it can fail, read from the declarations that the guards enforce. ADMIN is always
enough where an organization role is asked for. *verified*: the e-mail must be; *gated*: billing admits it, or answers 402.`;

const ALWAYS = ['internal_error', 'rate_limit_exceeded', 'storage_backend_unavailable'];

/** Every route × access, limit and errors. */
export function accessPage(app: INestApplication, document: OpenAPIObject): string {
  const routes = [...declaredRoutes(app)].sort(byAddress);
  return page(
    'Access',
    INTRO,
    table(
      ['route', 'credentials', 'role', 'scope', 'also', 'limit', `errors besides ${codes(ALWAYS)}`],
      routes.map((route) => row(route, document)),
    ),
    '## Rate limits',
    'Of one credential or, where there is none, one address; and of all together that name one e-mail address.',
    table(
      ['class', 'requests', 'per seconds', 'about one e-mail', 'per seconds'],
      Object.entries<LimitClass>(LIMIT_CLASSES).map(([name, limit]) => [
        name,
        ...numbers(limit),
        ...numbers(PER_EMAIL[name as LimitClassName]),
      ]),
    ),
  );
}

const numbers = (limit?: LimitClass): string[] => [String(limit?.limit ?? ''), String(limit?.windowSeconds ?? '')];

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
