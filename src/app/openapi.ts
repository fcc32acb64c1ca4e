import { type INestApplication } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type NextFunction, type Request, type Response } from 'express';
import { ERROR_CATALOGUE, type ErrorCode, type ErrorEntry } from '#kernel/errors/catalogue';
import { HttpConfig } from '#platform/config/config';
import { type CredentialAccess, isCredentialAccess } from '#platform/security/access';
import { type DeclaredRoute, declaredRoutes } from './routes';

type Operation = Record<string, unknown> & { responses: Record<string, unknown>; parameters?: { name: string }[] };

const DESCRIPTION = `Distribution of pre-release app builds to testers.

Every 4xx and 5xx answers \`{error, message, details}\`. Parents are query parameters. Lists are paged by \`limit\` and \`cursor\`.`;

/** The OpenAPI 3.1 document of the running application (contract §18). */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Agate')
    .setDescription(DESCRIPTION)
    .setVersion('1.0.0')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .setOpenAPIVersion('3.1.0')
    .addServer(app.get(HttpConfig).baseUrl)
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /api/v1/login/email.' },
      'access_jwt',
    )
    .addApiKey(
      { type: 'apiKey', in: 'cookie', name: 'dfdeveloper', description: 'The access JWT of a browser session.' },
      'session_cookie',
    )
    .addSecurity('project_access_token', { type: 'http', scheme: 'bearer', description: '`ag_prj_…`, for CI.' })
    .addSecurity('personal_access_token', { type: 'http', scheme: 'bearer', description: '`ag_pat_…`, for scripts.' })
    .addSecurity('invite_token', {
      type: 'apiKey',
      in: 'query',
      name: 'invite_token',
      description: 'It stands in the path of an install link.',
    })
    .build();
  const document = SwaggerModule.createDocument(app, builder, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  document.components = { ...document.components, schemas: { ...document.components?.schemas, Error: ERROR_SCHEMA } };
  for (const route of declaredRoutes(app)) describe(document, route);
  return document;
}

/**
 * What Swagger UI needs, and no more: its own files, styles and pictures written into them, and this API to try out. Nothing
 * on its page comes from a user, so the inline styles of its template hold nobody's words.
 */
const DOCS_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the document and Swagger UI. */
export function serveOpenApi(app: NestExpressApplication): void {
  let document: OpenAPIObject | undefined;
  app.use('/api/v1/docs', (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', DOCS_CONTENT_SECURITY_POLICY);
    next();
  });
  SwaggerModule.setup('api/v1/docs', app, () => (document ??= openApiDocument(app)), {
    jsonDocumentUrl: 'api/v1/openapi.json',
    customSiteTitle: 'Agate API',
    swaggerOptions: { persistAuthorization: false },
  });
}

const ERROR_SCHEMA = {
  type: 'object' as const,
  required: ['error', 'message', 'details'],
  properties: {
    error: { type: 'string', enum: [...new Set(Object.values(ERROR_CATALOGUE).map(({ code }) => code))] },
    message: { type: 'string' },
    details: { type: 'object', additionalProperties: true },
  },
  example: {
    error: 'not_found',
    message: 'There is no such build.',
    details: { request_id: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10' },
  },
};

/** Adds what the route's declarations say beyond what its signature does: errors and `x-access`. */
function describe(document: OpenAPIObject, route: DeclaredRoute): void {
  const outside = /^\/(install|download|assets)(\/|$)/.test(route.path);
  const path = `${outside ? '' : '/api/v1'}${route.path}`.replace(/:(\w+)/g, '{$1}');
  const item = document.paths[path] as Record<string, Operation> | undefined;
  const operation = item?.[route.method.toLowerCase()];
  if (!operation) return;
  operation['x-access'] = accessOf(route);
  for (const name of ['x-errors', 'x-rate-class', 'x-idempotent']) delete operation[name];
  for (const [status, entries] of byStatus(errorsOf(route, operation))) {
    operation.responses[String(status)] ??= {
      description: entries.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
}

/** Contract §18. */
function accessOf({ access, limit, idempotent, method }: DeclaredRoute): object {
  const common = { idempotent: idempotent !== undefined, rate_class: limit };
  if (!access || !isCredentialAccess(access)) {
    const credentials = access && 'invite' in access ? ['invite'] : [];
    return {
      credentials,
      verified: false,
      billing_gated: access !== undefined && 'gated' in access && access.gated === true,
      ...common,
    };
  }
  return {
    credentials: access.by,
    organization: access.organization ?? null,
    project: access.project ?? null,
    scope: access.scope ?? null,
    verified: access.verified ?? method !== 'GET',
    billing_gated: access.gated ?? false,
    ...common,
  };
}

/** Declared errors, and those that follow from what else is declared. */
function errorsOf({ access, errors, idempotent, path, method }: DeclaredRoute, operation: Operation): Set<ErrorCode> {
  const codes = new Set<ErrorCode>([...errors, 'rate_limit_exceeded', 'internal_error', 'storage_backend_unavailable']);
  if (access && isCredentialAccess(access)) for (const code of refusalsOf(access, method)) codes.add(code);
  if (operation['requestBody'] || operation.parameters?.length) codes.add('validation_error');
  if (operation['requestBody']) codes.add('payload_too_large');
  if (idempotent) codes.add('invalid_input').add('already_exists');
  if (/:\w+/.test(path)) codes.add('not_found');
  return codes;
}

function refusalsOf(access: CredentialAccess, method: string): ErrorCode[] {
  const roles = access.organization !== undefined || access.project !== undefined;
  const verified = access.verified ?? method !== 'GET';
  return [
    'unauthorized',
    'permission_denied',
    ...(roles ? (['insufficient_role'] as const) : []),
    ...(verified ? (['email_not_verified'] as const) : []),
  ];
}

function byStatus(codes: ReadonlySet<ErrorCode>): Map<number, ErrorEntry[]> {
  const statuses = new Map<number, ErrorEntry[]>();
  const entries: readonly ErrorEntry[] = Object.values(ERROR_CATALOGUE);
  for (const code of codes) {
    const entry = entries.find((candidate) => candidate.code === code);
    if (entry) statuses.set(entry.status, [...(statuses.get(entry.status) ?? []), entry]);
  }
  return statuses;
}
