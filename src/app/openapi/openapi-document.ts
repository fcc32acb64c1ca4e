import { type INestApplication } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type NextFunction, type Request, type Response } from 'express';
import { HttpConfig } from '#infra/config/config';
import { components, TAGS } from './components';
import { describeRoute, type Operation, type SharedResponses } from './route-docs';
import { API_PREFIX, declaredRoutes } from '../routes';

const DESCRIPTION = `Distribution of pre-release app builds to testers.

Every 4xx and 5xx answers \`{error, message, details}\`. Parents are query parameters. Lists are paged by \`limit\` and
\`cursor\`. Routes that take an \`Idempotency-Key\` can be retried without fear. \`x-access\` says who may use an operation.`;

/** The OpenAPI 3.1 document of the application, which need not be started (contract §18). */
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
  app.use(`/${API_PREFIX}/docs`, (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', DOCS_CONTENT_SECURITY_POLICY);
    next();
  });
  SwaggerModule.setup(`${API_PREFIX}/docs`, app, () => (document ??= openApiDocument(app)), {
    jsonDocumentUrl: `${API_PREFIX}/openapi.json`,
    customSiteTitle: 'Agate API',
    swaggerOptions: { persistAuthorization: false },
  });
}

/** All that is not an operation: title, tags, the four credentials of specification §5. */
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
      description: 'In truth it stands in the path of an install link, a place for which OpenAPI has no word.',
    });
  for (const [tag, description] of Object.entries(TAGS)) builder.addTag(tag, description);
  return builder.build();
}
