import { type Response } from 'express';
import { type AppError } from '#kernel/errors/app-error';
import { type AppRequest } from '#infra/http/request/app-request';
import { type ErrorPages } from '#infra/http/errors/error-presenter';
import { errorPage } from './error-page';
import { messagesOf, placeOf } from '../messages/locale';
import { MESSAGE_PAGE } from '../message-page';
import { pageHeaders } from '../rendering/page-headers';
import { type PageRenderer } from '../rendering/page-renderer';

/** Errors on the way of a person with a browser are pages that explain; clients that ask for JSON get the envelope. */
export class BrowserErrorPages implements ErrorPages {
  /** @param isForPeople whether people come to where the request leads. */
  constructor(
    private readonly renderer: PageRenderer,
    private readonly isForPeople: (request: AppRequest) => boolean,
  ) {}

  present(error: AppError, request: AppRequest, response: Response): boolean {
    if (!this.isForPeople(request) || request.accepts(['json', 'html']) !== 'html') return false;
    const { requestId } = request.context;
    // Two slashes would lead to another host.
    const retry = request.method === 'GET' ? { retryPath: request.originalUrl.replace(/^\/+/, '/') } : {};
    const view = errorPage(error, { messages: messagesOf(request), requestId, ...retry });
    response.set(pageHeaders()).send(this.renderer.render(MESSAGE_PAGE, view, placeOf(request)));
    return true;
  }
}
