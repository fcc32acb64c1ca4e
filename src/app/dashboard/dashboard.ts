import { join } from 'node:path';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Request, type RequestHandler, type Response, type Router } from 'express';
import { HttpConfig, RuntimeConfig } from '#infra/config/config';
import { Logger } from '#infra/logging/logger';
import { PageRenderer } from '#infra/pages/rendering/page-renderer';
import { limitedOn } from '../limited-handlers';
import { encodingFor, sendStored } from '../stored-files';
import { DashboardFiles, hasDashboard, STATIC_ROUTE } from './dashboard-files';
import { fileHeaders, LICENSES_HEADERS, PAGE_HEADERS } from './dashboard-headers';
import { DashboardPage, hasSession } from './dashboard-page';

/** The directory into which the build puts the dashboard, seen from the built service and from its sources. */
const PLACES = ['../../../dashboard', '../../../dist/dashboard'].map((place) => join(__dirname, place));

/** The directory of the built dashboard. It does not exist when the dashboard was not built. */
export const builtDashboard = (): string => PLACES.find(hasDashboard) ?? PLACES[0]!;

/**
 * Serves the dashboard from memory: its page on every path of its router, and as `404` on all others below an organization, to clients that
 * accept HTML by name, `/` to all but clients of JSON, and its files below `/static`. All other requests continue, so no path of the API or of the install pages can be shadowed.
 */
export function serveDashboard(app: NestExpressApplication, router: Router, directory: string): void {
  const config = app.get(HttpConfig);
  if (app.get(RuntimeConfig).role === 'worker') return;
  const reason = reasonNotToServe(config, directory);
  if (reason !== null) {
    app.get(Logger).info({}, `The dashboard is not served: ${reason}`);
    return;
  }
  const renderer = app.get(PageRenderer);
  renderer.hasDashboard = true;
  const files = new DashboardFiles(directory);
  const limited = limitedOn(app, 'Dashboard');
  router.get(`${STATIC_ROUTE}/LICENSES`, limited('asset', serveLicenses(files)));
  router.get(`${STATIC_ROUTE}/:name`, limited('asset', serveFile(files)));
  const page = new DashboardPage(files);
  renderer.sendsUnknown = (request, response) => {
    if (!hasSession(request.get('cookie'))) return false;
    sendPage(page, '/', request, response);
    return true;
  };
  for (const pattern of files.routes.keys()) {
    const serve = limited('page', servePage(page, pattern));
    router.get(pattern.replace(/\$(\w+)/g, ':$1'), (request, response, next) =>
      acceptsPage(request, pattern) ? serve(request, response, next) : next(),
    );
  }
  // The router shows a mistyped path of an organization in its frame, with the navigation.
  const serveUnknown = limited('page', servePage(page, '/o/$org', 404));
  router.get('/o/:org/*path', (request, response, next) =>
    acceptsHtmlByName(request.get('accept')) ? serveUnknown(request, response, next) : next(),
  );
}

function reasonNotToServe(config: HttpConfig, directory: string): string | null {
  if (!config.dashboard) return 'DASHBOARD is false.';
  if (!config.servesDashboard) return 'BASE_URL has a path. Set BASE_URL to an origin.';
  if (!hasDashboard(directory)) return `${directory} does not exist. Build it: npm run build`;
  return null;
}

const servePage =
  (page: DashboardPage, pattern: string, status = 200): RequestHandler =>
  (request, response) => {
    response.status(status);
    sendPage(page, pattern, request, response);
  };

function sendPage(page: DashboardPage, pattern: string, request: Request, response: Response): void {
  const reader = { cookie: request.get('cookie'), acceptLanguage: request.get('accept-language') };
  response.set(PAGE_HEADERS);
  response.send(page.render({ pattern, parameters: request.params }, reader));
}

const serveLicenses =
  ({ licenses }: DashboardFiles): RequestHandler =>
  (_, response) => {
    response.set(LICENSES_HEADERS);
    response.send(licenses);
  };

const serveFile =
  (files: DashboardFiles): RequestHandler<{ name: string }> =>
  (request, response, next) => {
    const file = files.find(request.params.name);
    if (!file) return next();
    response.set(fileHeaders(file));
    sendStored(response, file, encodingFor(request, file));
  };

/**
 * Whether a client gets the page. Programs send wildcards or no header, and get the responses of the API, except at the root: people and
 * monitors request it to see whether the service runs.
 */
const acceptsPage = (request: Request, pattern: string): boolean =>
  pattern === '/' ? request.accepts(['html', 'json']) === 'html' : acceptsHtmlByName(request.get('accept'));

/** Whether the header names `text/html`. */
const acceptsHtmlByName = (accept: string | undefined): boolean =>
  (accept ?? '').split(',').some((range) => /^\s*text\/html\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i.test(range));
