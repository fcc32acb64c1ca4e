import { type INestApplication } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { type AppError } from '#kernel/errors/app-error';
import { HttpConfig } from '#infra/config/config';
import { ErrorPresenter } from '#infra/http/errors/error-presenter';
import { type AppRequest } from '#infra/http/request/app-request';
import { RateLimiter } from '#infra/rate-limit/rate-limiter';
import { API_PREFIX, declaredRoutes } from '../routes';
import { BodyExamples } from './body-examples';
import { components, TAGS } from './components';
import { ENUM_DESCRIPTIONS } from './enum-descriptions';
import { introduction } from './introduction';
import { requireBody } from './required-bodies';
import { describeRoute, type Operation, type SharedResponses } from './route-docs';
import { webhookOperations, webhookParameters, webhookSchemas } from './webhook-operations';

/** Returns the OpenAPI 3.1 document of the application, which need not be started. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, frame(app.get(HttpConfig).baseUrl), {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  const bodies = new BodyExamples(document);
  const responses: SharedResponses = {};
  for (const route of declaredRoutes(app)) {
    const item = document.paths[route.template] as Record<string, Operation | undefined> | undefined;
    const operation = item?.[route.method.toLowerCase()];
    if (!operation) continue;
    describeRoute(operation, route, responses);
    requireBody(operation, route, document);
    bodies.add(operation, route.docs);
  }
  const { schemas, examples, ...others } = components();
  document.components = {
    ...document.components,
    ...others,
    examples: { ...examples, ...bodies.all },
    schemas: { ...describeSchemas(document.components?.schemas ?? {}), ...schemas, ...webhookSchemas() },
    parameters: webhookParameters(),
    responses,
  };
  document.webhooks = webhookOperations();
  return document;
}

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** Adds the descriptions of enums and pages. All other schemas are described by `@ApiSchema` on their classes. */
function describeSchemas(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const isPage = 'properties' in schema && schema.properties?.['next_cursor'] !== undefined;
      const description = ENUM_DESCRIPTIONS[name] ?? (isPage ? PAGE_DESCRIPTION : undefined);
      return [name, description ? { ...schema, description } : schema];
    }),
  );
}

const PAGE_DESCRIPTION = 'A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page.';

/**
 * The minimum that Swagger UI needs: its own files, inline styles and images, and requests to this API. The page shows no
 * user input, so its inline styles are safe.
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

/** Serves the document and Swagger UI, unless DOCS is off. */
export function serveOpenApi(app: NestExpressApplication): void {
  if (app.get(HttpConfig).docs === 'off') return;
  app.use([`/${API_PREFIX}/docs`, `/${API_PREFIX}/openapi.json`], limitDocs(app));
  let document: OpenAPIObject | undefined;
  app.use(`/${API_PREFIX}/docs`, (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', DOCS_CONTENT_SECURITY_POLICY);
    next();
  });
  SwaggerModule.setup(`${API_PREFIX}/docs`, app, () => (document ??= openApiDocument(app)), {
    jsonDocumentUrl: `${API_PREFIX}/openapi.json`,
    raw: ['json'],
    customSiteTitle: 'Agate API',
    swaggerOptions: { persistAuthorization: false },
  });
}

/** Everything except the operations: title, tags and security schemes. */
function frame(baseUrl: string): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setTitle('Agate')
    .setDescription(introduction(baseUrl))
    .setVersion('1.0.0')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .setOpenAPIVersion('3.1.0')
    .addServer(baseUrl);
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) builder.addSecurity(name, scheme);
  for (const [tag, description] of Object.entries(TAGS)) builder.addTag(tag, description);
  return builder.build();
}

type SecurityScheme = Parameters<DocumentBuilder['addSecurity']>[1];

/** The credentials of the API, by the names that `@Access` refers to. */
const SECURITY_SCHEMES: Readonly<Record<string, SecurityScheme>> = {
  access_jwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The `token` of `POST /api/v1/login/email`, valid for ten minutes. Acts with all roles of the developer.',
  },
  session_cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'dfdeveloper',
    description:
      'The access JWT of a browser session, set by a login. A request with `Sec-Fetch-Site`, as browsers send it, also needs the cookie `__Host-dfdeveloper_session` of the same session, if the service has an https address. A state change that another site requested is `403 permission_denied`. An `Authorization` header takes precedence.',
  },
  refresh_cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'dfdeveloper_refresh',
    description:
      'The refresh token of a browser session, set by a login. Browsers send it only to `/api/v1/login`, and must send the proof of the session too.',
  },
  project_access_token: {
    type: 'http',
    scheme: 'bearer',
    description:
      '`ag_prj_…`, for CI. Bound to one project, so `organization_id` and `project_id` may be omitted. Needs the project role of the operation.',
  },
  personal_access_token: {
    type: 'http',
    scheme: 'bearer',
    description:
      '`ag_pat_…`, for scripts. Bound to one organization. Needs the scope of the operation, and its developer needs the role.',
  },
  invite_token: {
    type: 'apiKey',
    in: 'query',
    name: 'invite_token',
    description: 'The token of an install link, sent as a part of the path: OpenAPI has no scheme for this.',
  },
};

/** Middleware that limits the requests for the OpenAPI document and Swagger UI, which do not pass the guards. */
function limitDocs(app: INestApplication): RequestHandler {
  const [limiter, presenter] = [app.get(RateLimiter), app.get(ErrorPresenter)];
  return (request, response, next) => {
    const { sourceIp } = (request as AppRequest).context;
    void limiter
      .count('address', limiter.forAddress('address', 'address', sourceIp), response)
      .then(() => limiter.count('docs', limiter.forAddress('docs', 'docs', sourceIp), response))
      .then(
        () => next(),
        (error: unknown) => presenter.present(error as AppError, request as AppRequest, response),
      );
  };
}
