import { join } from 'node:path';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Request, type RequestHandler, type Response, type Router } from 'express';
import { AppError } from '#kernel/errors/app-error';
import { HttpConfig, RuntimeConfig } from '#infra/config/config';
import { programVersion } from '#infra/lifecycle/program-version';
import { Logger } from '#infra/logging/logger';
import { chosenTheme, localeOf } from '../dashboard/dashboard-page';
import { limitedOn } from '../limited-handlers';
import { encodingFor, sendStored } from '../stored-files';
import { hasHelp, HELP_ROUTE, type HelpFile, HelpFiles } from './help-files';
import { HelpPages } from './help-pages';
import { shownQuery } from './help-search';

/** The directory into which the build puts the documents, seen from the built service and from its sources. */
const PLACES = ['../../../help', '../../../dist/help'].map((place) => join(__dirname, place));

/** The directory of the built documents. It does not exist when they were not built. */
export const builtHelp = (): string => PLACES.find(hasHelp) ?? PLACES[0]!;

/** Allows no script at all: the pages need none. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Robots-Tag': 'noindex',
};

/** The headers of a page that is rendered for its request. */
const RENDERED_HEADERS: Readonly<Record<string, string>> = {
  ...HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Language': 'en',
};

const THEME_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/css; charset=utf-8',
  'Cache-Control': 'private, no-cache',
  Vary: 'Cookie, Accept-Language',
};

/** Serves the documents of this version below `/help`, from memory, to everyone. */
export function serveHelp(app: NestExpressApplication, router: Router, directory: string): void {
  if (app.get(RuntimeConfig).role === 'worker') return;
  const reason = reasonNotToServe(app.get(HttpConfig), directory);
  if (reason !== null) {
    app.get(Logger).info({}, `The documents are not served: ${reason}`);
    return;
  }
  const files = new HelpFiles(directory);
  const pages = new HelpPages(files);
  const limited = limitedOn(app, 'Help');
  router.get(
    `${HELP_ROUTE}/search`,
    limited('heavy', async ({ query }, response) => {
      const page = await pages.found(shownQuery(query['q']));
      response.set(RENDERED_HEADERS).send(page);
    }),
  );
  router.get(`${HELP_ROUTE}/theme.css`, limited('asset', serveTheme(files, app.get(HttpConfig))));
  router.get(`${HELP_ROUTE}/assets/:name`, limited('asset', serveAsset(files)));
  const page = limited('page', servePage(files, pages));
  router.get(HELP_ROUTE, page);
  router.get(`${HELP_ROUTE}/*path`, page);
}

function reasonNotToServe({ baseUrl }: HttpConfig, directory: string): string | null {
  if (new URL(baseUrl).pathname !== '/') return 'BASE_URL has a path. Set BASE_URL to an origin.';
  if (!hasHelp(directory)) return `${directory} does not exist. Build it: npm run build`;
  return null;
}

const SHOW_GERMAN_NOTE = '.in-english { display: block; }';
const SHOW_DASHBOARD = '.to-dashboard { display: inline-flex; align-items: center; min-height: 2.75rem; }';

/**
 * What depends on the reader and on the service, apart from the pages, which are the same for everyone: the colours that the reader chose in
 * the dashboard, a line for readers of German, and the way back to a dashboard that is served.
 */
const serveTheme =
  ({ themes }: HelpFiles, { servesDashboard }: HttpConfig): RequestHandler =>
  (request, response) => {
    const cookie = request.get('cookie');
    const theme = chosenTheme(cookie);
    const locale = localeOf({ cookie, acceptLanguage: request.get('accept-language') });
    const tag = `${theme ?? 'system'}-${locale}-${programVersion()}`;
    response.set({ ...HEADERS, ...THEME_HEADERS, ETag: `"${tag}"` });
    if (request.fresh) response.status(304).end();
    else {
      const parts = [theme && themes[theme], locale === 'de' && SHOW_GERMAN_NOTE, servesDashboard && SHOW_DASHBOARD];
      response.send(parts.filter(Boolean).join('\n'));
    }
  };

const serveAsset =
  ({ assets }: HelpFiles): RequestHandler<{ name: string }> =>
  (request, response) => {
    const file = assets.get(request.params.name);
    if (!file) throw new AppError('not_found');
    send(request, response, file);
  };

const servePage =
  (files: HelpFiles, pages: HelpPages): RequestHandler =>
  (request, response) => {
    const file = files.pages.get(request.path.replace(/\/$/, ''));
    if (file) return send(request, response, file);
    if (request.accepts(['json', 'html']) !== 'html') throw new AppError('not_found');
    response.status(404).set(RENDERED_HEADERS).send(pages.missing());
  };

function send(request: Pick<Request, 'acceptsEncodings' | 'fresh'>, response: Response, file: HelpFile): void {
  const encoding = encodingFor(request as Request, file);
  // Each form has a tag of its own, as RFC 9110 requires of strong tags.
  response.set({ ...HEADERS, ...file.headers, ETag: `"${file.tag}${encoding ? `-${encoding}` : ''}"` });
  if (request.fresh) response.status(304).end();
  else sendStored(response, file, encoding);
}
