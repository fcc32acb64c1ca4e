import { chosenLocale, type Locale, LOCALES, pickLocale } from '#infra/pages/messages/messages';
import { ACCESS_COOKIE } from '#modules/auth';
import { type DashboardFiles } from './dashboard-files';

/** Cookies that the dashboard's scripts write, so that the first paint has the reader's language and colours. */
const LANGUAGE_COOKIE = 'agate_lang';
const THEME_COOKIE = 'agate_theme';

/** The themes that a reader can choose. Without a choice the page follows the system. */
const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The theme that a reader chose in the dashboard. Null without a choice, and for values that name none. */
export const chosenTheme = (cookie: string | undefined): Theme | null =>
  THEMES.find((name) => name === cookiesOf(cookie).get(THEME_COOKIE)) ?? null;

/** Whether a request has the cookie of a session, which may have ended. */
export const hasSession = (cookie: string | undefined): boolean => cookiesOf(cookie).has(ACCESS_COOKIE);

/** The properties of a reader that a request reveals. */
export interface ReaderHeaders {
  readonly cookie: string | undefined;
  readonly acceptLanguage: string | undefined;
}

/** The language that a reader chose in the dashboard, else the one that their browser prefers. */
export const localeOf = ({ cookie, acceptLanguage }: ReaderHeaders): Locale =>
  chosenLocale(cookiesOf(cookie).get(LANGUAGE_COOKIE)) ?? pickLocale(acceptLanguage);

/** The values of parameters of a path. A value is a list for a wildcard, which no pattern of the dashboard has. */
type Parameters = Readonly<Record<string, string | readonly string[]>>;

/** An address of the dashboard. */
export interface RequestedScreen {
  /** The pattern of the router that the path matches. */
  readonly pattern: string;
  /** The values of its parameters, from the path. */
  readonly parameters: Parameters;
}

/**
 * The parts of a document. Preloads are written between them. Requests to the API take longest, so their preloads come before all files.
 */
interface Document {
  readonly start: string;
  /** The first script and the styles. */
  readonly files: string;
  readonly end: string;
  /** The end of a screen before the login, whose first paint has no navigation. */
  readonly entranceEnd: string;
}

/** The source of what surrounds the screens before the login. */
const ENTRANCE = 'src/screens/session/entrance.tsx';

/**
 * The documents of the dashboard. A document lists the scripts and texts of the screen, and the first requests to the API, so that browsers
 * load them at the same time. Otherwise the first script would request them one after the other. The parts of a document are made once at
 * startup.
 */
export class DashboardPage {
  private readonly documents: ReadonlyMap<string, Document>;
  private readonly preloads: ReadonlyMap<string, string>;

  constructor(private readonly files: DashboardFiles) {
    const themes: readonly (Theme | null)[] = [null, ...THEMES];
    this.documents = new Map(
      LOCALES.flatMap((locale) => themes.map((theme) => [keyOf(locale, theme), documentOf(files, locale, theme)])),
    );
    this.preloads = new Map(
      LOCALES.flatMap((locale) =>
        [...files.routes.keys()].map((pattern) => [keyOf(locale, pattern), scriptPreloads(files, locale, pattern)]),
      ),
    );
  }

  /** The document of a screen for a reader. Cookie values that name no language or theme of the dashboard are ignored. */
  render(screen: RequestedScreen, { cookie, acceptLanguage }: ReaderHeaders): string {
    const cookies = cookiesOf(cookie);
    const locale = localeOf({ cookie, acceptLanguage });
    const theme = chosenTheme(cookie);
    const { start, files, end, entranceEnd } = this.documents.get(keyOf(locale, theme))!;
    const isEntrance = this.files.routes.get(screen.pattern)?.sources.includes(ENTRANCE) === true;
    const scripts = this.preloads.get(keyOf(locale, screen.pattern))!;
    return (
      start +
      this.requestPreloads(screen, cookies.has(ACCESS_COOKIE)) +
      files +
      scripts +
      (isEntrance ? entranceEnd : end)
    );
  }

  /** Requests that need a session are left out without one. */
  private requestPreloads({ pattern, parameters }: RequestedScreen, hasSession: boolean): string {
    const requests = this.files.routes.get(pattern)?.requests ?? [];
    return requests
      .filter((request) => hasSession || !request.includes('$'))
      .map((request) => fillIn(request, parameters))
      .filter((address) => address !== null)
      .map((address) => `<link rel="preload" as="fetch" crossorigin href="${address.replaceAll('&', '&amp;')}">`)
      .join('');
  }
}

const keyOf = (locale: Locale, of: string | null): string => `${locale} ${of}`;

/** The built document with the language and the theme. */
function documentOf(files: DashboardFiles, locale: Locale, theme: Theme | null): Document {
  const attributes = theme === null ? `lang="${locale}"` : `lang="${locale}" data-theme="${theme}"`;
  const document = files.index.replace(/<html[^>]*>/, `<html ${attributes}>`);
  const [script, headEnd] = [document.indexOf('<script'), document.indexOf('</head>')];
  const end = document.slice(headEnd);
  return {
    start: document.slice(0, script),
    files: document.slice(script, headEnd),
    end,
    entranceEnd: end.replace('class="boot"', 'class="boot" data-look="entrance"'),
  };
}

/** Preloads of the scripts that the first script imports, and of those that it would import dynamically for a screen. */
function scriptPreloads(files: DashboardFiles, locale: Locale, pattern: string): string {
  const { sources = [], words = [] } = files.routes.get(pattern) ?? {};
  const texts = ['every-screen', ...words].map((area) => `src/words/${locale}/${area}.ts`);
  const paths = new Set(['index.html', ...texts, ...sources].flatMap((source) => [...files.chunksOf(source)]));
  return [...paths]
    .filter((path) => !files.index.includes(`"${path}"`))
    .map((path) => `<link rel="modulepreload" crossorigin href="${path}">`)
    .join('');
}

/** An identifier as the service makes them. */
const ID = /^[0-9a-f-]{36}$/;
const PARAMETER = /\$(\w+)/g;

/** The address of a request with the values of the path, null when a value cannot be an id: the request would be rejected. */
function fillIn(request: string, parameters: Parameters): string | null {
  const valueOf = (name: string): string => String(parameters[name]);
  const areIds = [...request.matchAll(PARAMETER)].every(([, name = '']) => ID.test(valueOf(name)));
  return areIds ? request.replace(PARAMETER, (_, name: string) => valueOf(name)) : null;
}

function cookiesOf(header: string | undefined): ReadonlyMap<string, string> {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return new Map(pairs.map(([name = '', value = '']) => [name, value]));
}
