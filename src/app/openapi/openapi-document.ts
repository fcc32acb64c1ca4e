import { type INestApplication } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type NextFunction, type Request, type Response } from 'express';
import { HttpConfig } from '#infra/config/config';
import { BodyExamples } from './body-examples';
import { limitDocs } from './limit-docs';
import { components, TAGS } from './components';
import { ENUM_DESCRIPTIONS } from './enum-descriptions';
import { introduction } from './introduction';
import { SECURITY_SCHEMES } from './security-schemes';
import { describeRoute, type Operation, type SharedResponses } from './route-docs';
import { API_PREFIX, declaredRoutes } from '../routes';

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
    bodies.add(operation, route.docs);
  }
  const { schemas, examples, ...others } = components();
  document.components = {
    ...document.components,
    ...others,
    examples: { ...examples, ...bodies.all },
    schemas: { ...describeSchemas(document.components?.schemas ?? {}), ...schemas },
    responses,
  };
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
