import { type INestApplication, RequestMethod } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import cookieParser from 'cookie-parser';
import { type Express, type RequestHandler } from 'express';
import { type Server } from 'node:http';
import helmet from 'helmet';
import { AppError } from '#kernel/errors/app-error';
import { Clock } from '#kernel/context/clock';
import { HttpConfig, MetricsConfig } from '#infra/config/config';
import { type AppRequest } from '#infra/http/request/app-request';
import { bodyParsers } from '#infra/http/request/body-parsers';
import { requestContext } from '#infra/http/request/context';
import { ErrorPresenter } from '#infra/http/errors/error-presenter';
import { requestLog } from '#infra/http/telemetry/request-log';
import { requestMetrics } from '#infra/http/telemetry/request-metrics';
import { routePatternOf } from '#infra/http/telemetry/route-pattern';
import { endSlowRequests } from '#infra/http/server/slow-requests';
import { answerUnreadableRequests, rejectUnsupportedExpectations } from '#infra/http/server/malformed-requests';
import { Readiness } from '#infra/lifecycle/readiness';
import { closeConnectionsWhileDraining } from '#infra/lifecycle/close-connections-while-draining';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';
import { MetricsEndpoint } from '#infra/metrics/metrics-endpoint';
import { BrowserErrorPages } from '#infra/pages/browser-error-pages';
import { PageRenderer } from '#infra/pages/rendering/page-renderer';
import { refuseUndeclaredRoutes } from './declared-routes';
import { HEADERS } from './openapi/components';
import { serveOpenApi } from './openapi/openapi';
import { API_PREFIX, declaredRoutes, FOR_PEOPLE_ONLY, OUTSIDE_THE_API } from './routes';

/** Where there is a router; what leads nowhere within it, Nest answers. */
const ROUTED = /^\/(api\/v1(\/|$)|(install|download|assets)\/.)/;

/** Everything between the socket and the guards; used by `main` and by the tests alike. */
export function setUpApp(app: NestExpressApplication): INestApplication {
  const config = app.get(HttpConfig);
  const logger = app.get(Logger);
  app.useLogger(logger);
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustProxy);
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.use(requestMetrics(app.get(Metrics)), requestContext(app.get(Clock)), requestLog(logger));
  app.use(
    closeConnectionsWhileDraining(app.get(Readiness)),
    securityHeaders(config.baseUrl.startsWith('https:')),
    notStored,
  );
  app.use(rejectUnsupportedExpectations(app.get(ErrorPresenter)));
  serveMetrics(app);
  app.use(refuseOtherPaths(app.get(ErrorPresenter)));
  if (config.dashboardOrigins.length > 0)
    app.enableCors({
      origin: config.dashboardOrigins,
      credentials: true,
      exposedHeaders: Object.values(HEADERS).map(({ name }) => name),
    });
  app.use(cookieParser(), ...bodyParsers());
  app.setGlobalPrefix(API_PREFIX, {
    exclude: OUTSIDE_THE_API.map((path) => ({ path: `${path}/*path`, method: RequestMethod.ALL })),
  });
  refuseUndeclaredRoutes(app);
  showErrorPages(app);
  serveOpenApi(app);
  boundTimes(app.getHttpServer());
  answerUnreadableRequests(app.getHttpServer());
  return app;
}

/** Beside the API, for whoever has the token; with a port of its own, only there. */
function serveMetrics(app: NestExpressApplication): void {
  const { port, token } = app.get(MetricsConfig);
  if (port !== undefined || token !== undefined) app.get(Metrics).watchProcess();
  if (port !== undefined || token === undefined) return;
  const endpoint = app.get(MetricsEndpoint);
  const express: Express = app.getHttpAdapter().getInstance();
  express.get('/metrics', (request, response) => endpoint.answer(request, response));
}

/** On every response; pages and artifacts bring stricter ones of their own. */
const securityHeaders = (secure: boolean): ReturnType<typeof helmet> =>
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    hsts: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });

/** Nothing is kept by anybody unless its route says otherwise (contract §1). */
const notStored: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

/** People see errors as pages: on the routes that are for them, and wherever there is nobody else. */
function showErrorPages(app: NestExpressApplication): void {
  const routes = declaredRoutes(app).filter(({ forPeople }) => forPeople);
  const patterns = new Set(routes.map(({ pattern }) => pattern));
  const isForPeople = (request: AppRequest): boolean =>
    FOR_PEOPLE_ONLY.test(request.originalUrl) || patterns.has(routePatternOf(request));
  app.get(ErrorPresenter).usePages(new BrowserErrorPages(app.get(PageRenderer), isForPeople));
}

/** Everywhere else Express would answer a page of its own, which is neither the envelope nor one of ours. */
const refuseOtherPaths =
  (presenter: ErrorPresenter): RequestHandler =>
  (request, response, next) =>
    ROUTED.test(request.path) ? next() : presenter.present(new AppError('not_found'), request as AppRequest, response);

/**
 * Node cuts any request after five minutes, however busy: uploads take longer. They have an idle rule of their own, and other
 * bodies have a minute where they are read. Here the headers are hurried, and what still comes of a request when it is answered.
 */
function boundTimes(server: Server): void {
  server.requestTimeout = 0;
  server.headersTimeout = 60_000;
  server.keepAliveTimeout = 65_000;
  endSlowRequests(server);
}
