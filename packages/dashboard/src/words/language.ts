import { readCookie, writeCookie } from '../session/choices/cookies';

export const LANGUAGES = ['en', 'de'] as const;
export type LanguageCode = (typeof LANGUAGES)[number];

const COOKIE = 'agate_lang';

/** The language that was chosen here, or else the browser's. */
export function currentLanguage(): LanguageCode {
  const wanted = [readCookie(COOKIE), ...navigator.languages.map((language) => language.slice(0, 2))];
  return (
    LANGUAGES.find((language) => language === wanted.find((one) => LANGUAGES.includes(one as LanguageCode))) ?? 'en'
  );
}

export function keepLanguage(language: LanguageCode): void {
  writeCookie(COOKIE, language);
  document.documentElement.lang = language;
}
