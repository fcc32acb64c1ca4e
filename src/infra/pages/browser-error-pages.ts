import { type Response } from 'express';
import { type AppError } from '#kernel/errors/app-error';
import { type ErrorCode } from '#kernel/errors/catalogue';
import { type ErrorPages } from '#infra/http/errors/error-presenter';
import { type AppRequest } from '#infra/http/request/app-request';
import { MESSAGE_PAGE, type MessagePageView } from './message-page';
import { messagesOf, pageNavigationOf } from './messages/locale';
import { type Messages } from './messages/messages';
import { pageHeaders } from './rendering/html-page';
import { type PageRenderer } from './rendering/page-renderer';

/** Shows errors to browsers as pages. Clients that accept JSON get the error envelope. */
export class BrowserErrorPages implements ErrorPages {
  /** @param isForPeople whether a request is for a route that shows pages. */
  constructor(
    private readonly renderer: PageRenderer,
    private readonly isForPeople: (request: AppRequest) => boolean,
  ) {}

  present(error: AppError, request: AppRequest, response: Response): boolean {
    if (!this.isForPeople(request) || request.accepts(['json', 'html']) !== 'html') return false;
    if (isUnknownVisit(error, request) && this.renderer.sendsUnknown(request, response)) return true;
    const { requestId } = request.context;
    // A link that starts with two slashes would lead to another host.
    const retry = request.method === 'GET' ? { retryPath: request.originalUrl.replace(/^\/+/, '/') } : {};
    const linkPath = linkOfVisit(request.originalUrl);
    const context = {
      messages: messagesOf(request),
      requestId,
      isUnknownPath: isUnknownPath(request),
      ...retry,
      linkPath,
    };
    const view = errorPage(error, context);
    response.set(pageHeaders()).send(this.renderer.render(MESSAGE_PAGE, view, pageNavigationOf(request)));
    return true;
  }
}

/** Whether no route exists for the path. Mistyped links of testers are below these paths: their pages do not mention the dashboard. */
const isUnknownPath = ({ route, path }: AppRequest): boolean =>
  route === undefined && !/^\/(?:install|download|updates)(?:\/|$)/.test(path);

/** Whether a reader opened an unknown path, and the response is that it does not exist. A form or a failure keeps its page. */
const isUnknownVisit = (error: AppError, request: AppRequest): boolean =>
  error.entry.code === 'not_found' && (request.method === 'GET' || request.method === 'HEAD') && isUnknownPath(request);

/**
 * The path of the link for an address that ends with a visit: below a grant, or of a form that opens the link, which a browser requests again
 * when it restores a tab. Null for other addresses. The path alone decides, so that the page tells nothing about the link.
 */
const linkOfVisit = (url: string): string | null =>
  /^(\/install\/[^/?]+)\/(?:g\/|(?:unlock|sign-in|terms)(?:\?|$))/.exec(url)?.[1] ?? null;

export interface ErrorPageContext {
  readonly messages: Messages;
  readonly requestId: string;
  /** Whether no route exists for the path, which is no link that testers get. */
  readonly isUnknownPath?: boolean;
  /** The address of "Try again". Absent when the request was not a GET. */
  readonly retryPath?: string;
  /** The path of the link whose visit may have ended, null for a page that is no visit. */
  readonly linkPath?: string | null;
}

type ErrorText = Exclude<keyof Messages['errors'], 'requestId' | 'tryAgain' | 'visitEnded'>;

/** Errors that a later attempt may not have. Their pages offer "Try again". */
const TEMPORARY: Partial<Record<ErrorCode, ErrorText>> = {
  prepaid_credit_exhausted: 'payment',
  spend_cap_exceeded: 'payment',
  rate_limit_exceeded: 'tooMany',
  storage_backend_unavailable: 'unavailable',
};

const PERMANENT: Partial<Record<ErrorCode, ErrorText>> = {
  already_exists: 'alreadyDone',
  email_not_verified: 'unverified',
  not_found: 'notFound',
  permission_denied: 'notHere',
  unauthorized: 'unauthorized',
};

/** The values of `details.reason` of an error whose cause is other downloads through the install link. */
const LINK_LIMITS: readonly unknown[] = ['link_downloads_reached'];

/**
 * The page of an error, in the reader's language. An error's own message is written for developers and is not shown, so that an internal
 * error reveals no detail.
 */
export function errorPage(error: AppError, context: ErrorPageContext): MessagePageView {
  const { messages, requestId, retryPath } = context;
  const texts = messages.errors;
  const page = (title: string, ...paragraphs: string[]): MessagePageView => ({
    messages,
    tone: 'problem',
    title,
    paragraphs,
    footnote: texts.requestId(requestId),
  });
  const pageWithRetry = (title: string, ...paragraphs: string[]): MessagePageView => ({
    ...page(title, ...paragraphs),
    ...(retryPath !== undefined && { link: { href: retryPath, label: texts.tryAgain } }),
  });
  const { code, status } = error.entry;
  const temporary = isBusy(error) ? 'busy' : (TEMPORARY[code] ?? (status >= 500 ? 'internal' : undefined));
  if (temporary === 'tooMany')
    return pageWithRetry(texts.tooMany.title, texts.tooMany.text, texts.tooMany.wait(error.retryAfterSeconds ?? 1));
  if (temporary) return pageWithRetry(texts[temporary].title, texts[temporary].text);
  const [{ title, text }, ways] = permanent(code, context);
  return { ...page(title, reasonOf(error, messages) ?? text), ...ways };
}

/** The text of an error that a later attempt has, too, and where it leads. */
function permanent(
  code: ErrorCode,
  { messages: { account, errors: texts }, isUnknownPath, linkPath = null }: ErrorPageContext,
): [{ readonly title: string; readonly text: string }, Pick<MessagePageView, 'link' | 'dashboardLinks'>] {
  if (isUnknownPath) return [texts.noPage, { dashboardLinks: [{ href: '/', label: account.openDashboard }] }];
  if (code === 'not_found' && linkPath !== null)
    return [texts.visitEnded, { link: { href: linkPath, label: texts.visitEnded.open } }];
  const dashboardLinks = code === 'unauthorized' ? [{ href: '/login', label: account.logIn }] : [];
  return [texts[PERMANENT[code] ?? 'rejected'], { dashboardLinks }];
}

/** Whether other downloads through the link leave no room for this one at the moment, so that the reader did nothing wrong. */
function isBusy({ details }: AppError): boolean {
  return LINK_LIMITS.includes(details['reason']) || details['quota'] === 'open_reservations';
}

/** Why a build cannot be installed, null for every other error. */
function reasonOf({ details }: AppError, { install }: Messages): string | null {
  const warnings: Readonly<Record<string, string>> = install.warnings;
  const reason = details['reason'];
  return typeof reason === 'string' && Object.hasOwn(warnings, reason) ? (warnings[reason] ?? null) : null;
}
