import { type INestApplication } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type NextFunction, type Request, type Response } from 'express';
import { HttpConfig } from '#infra/config/config';
import { limitDocs } from './limit-docs';
import { components, TAGS } from './components';
import { describeRoute, type Operation, type SharedResponses } from './route-docs';
import { API_PREFIX, declaredRoutes } from '../routes';

const DESCRIPTION = `Distribution of pre-release app builds to testers.

Every 4xx and 5xx response has the body \`{error, message, details}\`. Parent ids are query parameters. Lists are paginated
with \`limit\` and \`cursor\`. Requests with an \`Idempotency-Key\` can be retried safely. \`x-access\` shows who may use an
operation.`;

/** Returns the OpenAPI 3.1 document of the application, which need not be started. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, frame(app.get(HttpConfig).baseUrl), {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  const responses: SharedResponses = {};
  for (const route of declaredRoutes(app)) {
    const item = document.paths[route.template] as Record<string, Operation | undefined> | undefined;
    const operation = item?.[route.method.toLowerCase()];
    if (operation) describeRoute(operation, route, responses);
  }
  const { schemas, ...others } = components();
  document.components = {
    ...document.components,
    ...others,
    schemas: { ...document.components?.schemas, ...schemas },
    responses,
  };
  return document;
}

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
    .setDescription(DESCRIPTION)
    .setVersion('1.0.0')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .setOpenAPIVersion('3.1.0')
    .addServer(baseUrl)
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
      description: 'Sent as a path segment of an install link; OpenAPI has no such scheme.',
    });
  for (const [tag, description] of Object.entries(TAGS)) builder.addTag(tag, description);
  return builder.build();
}
