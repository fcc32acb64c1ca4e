import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Response } from 'express';
import { type AppError } from '#kernel/errors/app-error';
import { type AgateRequest } from '#platform/http/agate-request';
import { type ErrorPages, ErrorPresenter } from '#platform/http/error-presenter';
import { errorPage } from '#platform/pages/error-page';
import { messagesOf, placeOf } from '#platform/pages/locale';
import { MESSAGE_PAGE } from '#platform/pages/message-page';
import { pageHeaders } from '#platform/pages/page-headers';
import { PageRenderer } from '#platform/pages/page-renderer';

/** Everything outside the API but the assets, and the API's own pages. */
const FOR_PEOPLE = /^\/(?!api\/v1([/?]|$)|assets\/)|^\/api\/v1\/developers\/([^/?]+\/verify_email|reset_password)/;

/** Errors on the way of a person with a browser are pages that explain; clients that ask for JSON get the envelope. */
@Injectable()
export class InstallErrorPages implements ErrorPages, OnModuleInit {
  constructor(
    private readonly presenter: ErrorPresenter,
    private readonly renderer: PageRenderer,
  ) {}

  onModuleInit(): void {
    this.presenter.usePages(this);
  }

  present(error: AppError, request: AgateRequest, response: Response): boolean {
    if (!FOR_PEOPLE.test(request.originalUrl) || request.accepts(['json', 'html']) !== 'html') return false;
    const { requestId } = request.context;
    // Two slashes would lead to another host.
    const retry = request.method === 'GET' ? { retryPath: request.originalUrl.replace(/^\/+/, '/') } : {};
    const view = errorPage(error, { messages: messagesOf(request), requestId, ...retry });
    response.set(pageHeaders()).send(this.renderer.render(MESSAGE_PAGE, view, placeOf(request)));
    return true;
  }
}
