import { type Server } from 'node:http';
import { type INestApplication, RequestMethod } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import cookieParser from 'cookie-parser';
import { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { Clock } from '#kernel/context/clock';
import { AppError } from '#kernel/errors/app-error';
import { HttpConfig, MetricsConfig, RuntimeConfig } from '#infra/config/config';
import { indexRoutes } from '#infra/fast-paths/express/index-routes';
import { cacheValidationMetadata } from '#infra/fast-paths/validation/validation-metadata';
import { ErrorPresenter } from '#infra/http/errors/error-presenter';
import { type AppRequest } from '#infra/http/request/app-request';
import { bodyParser } from '#infra/http/request/body-parsers';
import { requestContext } from '#infra/http/request/context';
import { grantInPath } from '#infra/http/request/link-grant';
import { closeSlowConnections } from '#infra/http/server/connection-limits';
import { isolationHeaders } from '#infra/http/server/isolation-headers';
import { rejectMalformedRequests, rejectUnsupportedExpectations } from '#infra/http/server/malformed-requests';
import { closePipelinedResponses } from '#infra/http/server/pipelined-responses';
import { requestLog } from '#infra/http/telemetry/request-log';
import { requestMetrics, routePatternOf } from '#infra/http/telemetry/request-metrics';
import { closeConnectionsWhileDraining, Readiness } from '#infra/lifecycle/readiness';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';
import { MetricsEndpoint } from '#infra/metrics/metrics-server';
import { BrowserErrorPages } from '#infra/pages/browser-error-pages';
import { PageRenderer } from '#infra/pages/rendering/page-renderer';
import { serveCommandLine } from './command-line/serve-command-line';
import { serveDashboard } from './dashboard/dashboard';
import { serveHelp } from './help/serve-help';
import { serveMcp } from './mcp/serve-mcp';
import { HEADERS } from './openapi/components';
import { serveOpenApi } from './openapi/openapi-document';
import { API_PREFIX, declaredRoutes, HTML_ONLY_PATHS, OUTSIDE_THE_API, rejectUndeclaredRoutes } from './routes';

/** Paths below these prefixes reach the router, where Nest responds with 404 to unknown routes. */
const ROUTED_PATHS = /^\/(api\/v1(\/|$)|(install|download|updates|assets|icons)\/.)/;

/**
 * The connections of one process, waiting ones and event streams included. Further ones are closed immediately, so that a flood of
 * connections leaves file descriptors for the database and the artifacts.
 */
const MAX_CONNECTIONS = 10_000;

export interface BuiltDirectories {
  readonly dashboard?: string | undefined;
  readonly commandLine?: string | undefined;
  readonly help?: string | undefined;
}

/**
 * Sets up everything between the socket and the guards. `main` and the tests call it.
 * @param built directories of the built dashboard, command line and documents. A directory that is absent is not served.
 */
export function setUpApp(app: NestExpressApplication, built: BuiltDirectories = {}): INestApplication {
  const config = app.get(HttpConfig);
  const logger = app.get(Logger);
  app.useLogger(logger);
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustProxy);
  app.set('query parser', 'simple');
  app.set('etag', false);
  if (app.get(RuntimeConfig).fastPaths === 'on') {
    indexRoutes(app.getHttpAdapter().getInstance(), API_PREFIX);
    cacheValidationMetadata();
  }
  app.use(requestMetrics(app.get(Metrics)), requestContext(app.get(Clock)), requestLog(logger));
  app.use(
    closeConnectionsWhileDraining(app.get(Readiness)),
    ...defaultHeaders(config.baseUrl.startsWith('https:')),
    isolationHeaders(config.baseUrl),
  );
  app.use(rejectUnsupportedExpectations(app.get(ErrorPresenter)));
  app.use(grantInPath);
  serveOtherPaths(app, built);
  if (config.dashboardOrigins.length > 0)
    app.enableCors({
      origin: config.dashboardOrigins,
      credentials: true,
      exposedHeaders: Object.values(HEADERS).map(({ name }) => name),
    });
  app.use(cookieParser(), bodyParser(declaredRoutes(app)));
  app.setGlobalPrefix(API_PREFIX, {
    exclude: OUTSIDE_THE_API.map((path) => ({ path: `${path}/*path`, method: RequestMethod.ALL })),
  });
  rejectUndeclaredRoutes(app);
  useErrorPages(app);
  serveOpenApi(app);
  limitConnections(app.getHttpServer());
  closePipelinedResponses(app.getHttpServer());
  rejectMalformedRequests(app.getHttpServer());
  return app;
}

/** Serves the paths that Nest does not route, and rejects unknown ones. Requests for Nest's routes pass none of these handlers. */
function serveOtherPaths(app: NestExpressApplication, built: BuiltDirectories): void {
  const others = Router();
  serveMetrics(app, others);
  if (built.dashboard !== undefined) serveDashboard(app, others, built.dashboard);
  if (built.commandLine !== undefined) serveCommandLine(app, others, built.commandLine);
  if (built.help !== undefined) serveHelp(app, others, built.help);
  serveMcp(app, others);
  others.use(rejectUnknownPath(app.get(ErrorPresenter)));
  const serve: RequestHandler = (request, response, next) =>
    ROUTED_PATHS.test(request.path) ? next() : others(request, response, next);
  app.use(serve);
}

/** Serves GET /metrics on the port of the API, unless metrics have their own port or no token is set. */
function serveMetrics(app: NestExpressApplication, router: Router): void {
  const { port, token } = app.get(MetricsConfig);
  if (port !== undefined || token !== undefined) app.get(Metrics).watchProcess();
  if (port !== undefined || token === undefined) return;
  const endpoint = app.get(MetricsEndpoint);
  router.get('/metrics', (request, response) => endpoint.handle(request, response));
}

/** Default headers of every response. Pages and artifacts set stricter ones. */
const defaultHeaders = (secure: boolean): RequestHandler[] => [
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    hsts: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    // See isolationHeaders.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  }),
  // Responses must not be cached unless their route says otherwise.
  (_request, response, next) => void (response.setHeader('Cache-Control', 'no-store'), next()),
];

/** Shows errors as HTML pages, on routes that serve HTML and on paths outside the API. */
function useErrorPages(app: NestExpressApplication): void {
  const routes = declaredRoutes(app).filter(({ servesHtml }) => servesHtml);
  const patterns = new Set(routes.map(({ pattern }) => pattern));
  const wantsHtml = (request: AppRequest): boolean =>
    HTML_ONLY_PATHS.test(request.originalUrl) || patterns.has(routePatternOf(request));
  app.get(ErrorPresenter).usePages(new BrowserErrorPages(app.get(PageRenderer), wantsHtml));
}

/** Responds with the error envelope. Express would send its own HTML page. */
const rejectUnknownPath =
  (presenter: ErrorPresenter): RequestHandler =>
  (request, response) =>
    presenter.present(new AppError('not_found'), request as AppRequest, response);

/**
 * Node would abort every request after five minutes, but uploads take longer, so the request timeout is disabled. Uploads
 * have an idle timeout, other bodies a timeout of one minute in the body parser. This function limits the headers, request
 * bytes that arrive after the response, and the number of connections.
 */
function limitConnections(server: Server): void {
  server.maxConnections = MAX_CONNECTIONS;
  server.requestTimeout = 0;
  server.headersTimeout = 60_000;
  server.keepAliveTimeout = 65_000;
  closeSlowConnections(server);
}
