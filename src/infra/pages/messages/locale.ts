import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { chosenLocale, LOCALES, type Messages, messagesFor, pickLocale } from './messages';
import { type PagePlace } from '../rendering/page-renderer';

/** The words of a page in the reader's language: the one chosen on a page before any the browser asks for. */
export const messagesOf = (request: Request): Messages =>
  messagesFor(chosenLocale(request.query['lang']) ?? pickLocale(request.get('accept-language')));

/** The same, as a parameter of a route. */
export const Translations = createParamDecorator((_: unknown, execution: ExecutionContext): Messages =>
  messagesOf(execution.switchToHttp().getRequest<Request>()),
);

/**
 * What a page's links need of the request: a choice of language is carried on to other pages, and the page itself can be
 * had in the others. Links to itself are queries alone, so that no path of a request is ever written into a page.
 */
export function placeOf(request: Request): PagePlace {
  const chosen = chosenLocale(request.query['lang']);
  const query = new URLSearchParams(request.originalUrl.split('?')[1]);
  const inLanguage = (lang: string): string => {
    query.set('lang', lang);
    return `?${query.toString()}`;
  };
  const current = messagesOf(request).languageTag;
  const others = LOCALES.map(messagesFor).filter(({ languageTag }) => languageTag !== current);
  return {
    keep: (path) => (chosen === null ? path : `${path}${path.includes('?') ? '&' : '?'}lang=${chosen}`),
    // The answer to a form cannot be asked for again.
    languages: ['GET', 'HEAD'].includes(request.method)
      ? others.map(({ languageTag, languageName }) => ({
          tag: languageTag,
          name: languageName,
          href: inLanguage(languageTag),
        }))
      : [],
  };
}
