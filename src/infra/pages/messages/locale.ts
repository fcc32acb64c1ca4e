import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { isFormPost, prefersHtml } from '#infra/http/request/html-form';
import { type PageNavigation } from '../rendering/page-renderer';
import { chosenLocale, LOCALES, type Messages, messagesFor, pickLocale } from './messages';

/** The texts in the reader's language: the language chosen with `?lang=`, else the best one for `Accept-Language`. */
export const messagesOf = (request: Request): Messages =>
  messagesFor(chosenLocale(request.query['lang']) ?? pickLocale(request.get('accept-language')));

/** Injects `messagesOf` the request into a route's handler. */
export const Translations = createParamDecorator((_: unknown, execution: ExecutionContext): Messages =>
  messagesOf(execution.switchToHttp().getRequest<Request>()),
);

const textsIf = (wantsPage: (request: Request) => boolean) =>
  createParamDecorator((_: unknown, execution: ExecutionContext): Messages | undefined => {
    const request = execution.switchToHttp().getRequest<Request>();
    return wantsPage(request) ? messagesOf(request) : undefined;
  });

/** Injects the texts of the page that responds to a form of a browser. Undefined for other clients, whose response is JSON. */
export const FormTexts = textsIf(isFormPost);

/** Injects the texts of the page that responds to a form, or to a client that prefers HTML. Undefined for other clients. */
export const PageTexts = textsIf(prefersHtml);

/**
 * The language links of a page. A chosen language is carried to other pages of this service. Links to the page itself are queries alone,
 * so that no path of a request is written into a page.
 */
export function pageNavigationOf(request: Request): PageNavigation {
  const chosen = chosenLocale(request.query['lang']);
  const query = new URLSearchParams(request.originalUrl.split('?')[1]);
  const inLanguage = (lang: string): string => {
    query.set('lang', lang);
    return `?${query.toString()}`;
  };
  const current = messagesOf(request).languageTag;
  const others = LOCALES.map(messagesFor).filter(({ languageTag }) => languageTag !== current);
  return {
    withLanguage: (path) => (chosen === null ? path : `${path}${path.includes('?') ? '&' : '?'}lang=${chosen}`),
    // The response to a posted form has no address, so it cannot be reloaded in another language.
    languages: ['GET', 'HEAD'].includes(request.method)
      ? others.map(({ languageTag, languageName }) => ({
          tag: languageTag,
          name: languageName,
          href: inLanguage(languageTag),
        }))
      : [],
  };
}
