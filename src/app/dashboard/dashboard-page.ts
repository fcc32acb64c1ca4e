import { chosenLocale, type Locale, LOCALES, pickLocale } from '#infra/pages/messages/messages';
import { type DashboardFiles } from './dashboard-files';

/** Cookies that the dashboard's scripts write, so that the first paint has the reader's language and colours. */
export const LANGUAGE_COOKIE = 'agate_lang';
export const THEME_COOKIE = 'agate_theme';

/** The themes that a reader can choose. Without a choice the page follows the system. */
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** What a request says about its reader. */
export interface ReaderHeaders {
  readonly cookie: string | undefined;
  readonly acceptLanguage: string | undefined;
}

/** The documents of the dashboard: one for each language and theme, made once at startup. */
export class DashboardPage {
  private readonly documents: ReadonlyMap<string, string>;

  constructor(files: DashboardFiles) {
    const themes: readonly (Theme | null)[] = [null, ...THEMES];
    this.documents = new Map(
      LOCALES.flatMap((locale) => themes.map((theme) => [keyOf(locale, theme), documentOf(files, locale, theme)])),
    );
  }

  /** The document for a reader. Cookie values that name no language or theme of the dashboard are ignored. */
  render({ cookie, acceptLanguage }: ReaderHeaders): string {
    const cookies = cookiesOf(cookie);
    const locale = chosenLocale(cookies.get(LANGUAGE_COOKIE)) ?? pickLocale(acceptLanguage);
    const theme = THEMES.find((name) => name === cookies.get(THEME_COOKIE)) ?? null;
    return this.documents.get(keyOf(locale, theme)) ?? '';
  }
}

const keyOf = (locale: Locale, theme: Theme | null): string => `${locale} ${theme ?? 'system'}`;

/** The built document with the language, the theme and preloads of the language's chunks, which the entry imports dynamically. */
function documentOf(files: DashboardFiles, locale: Locale, theme: Theme | null): string {
  const attributes = theme === null ? `lang="${locale}"` : `lang="${locale}" data-theme="${theme}"`;
  const preloads = [...files.chunksOf(`src/words/${locale}/every-screen.ts`)]
    .filter((path) => !files.index.includes(`"${path}"`))
    .map((path) => `<link rel="modulepreload" crossorigin href="${path}">`)
    .join('');
  return files.index.replace(/<html[^>]*>/, `<html ${attributes}>`).replace('</head>', `${preloads}</head>`);
}

function cookiesOf(header: string | undefined): ReadonlyMap<string, string> {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return new Map(pairs.map(([name = '', value = '']) => [name, value]));
}
