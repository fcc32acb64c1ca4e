import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { type AppError } from '#kernel/errors/app-error';
import { type AppRequest } from '../request/app-request';

/** The body of every 4xx and 5xx response. */
export interface ErrorEnvelope {
  readonly error: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export const envelopeOf = (error: AppError, requestId: string | undefined): ErrorEnvelope => ({
  error: error.entry.code,
  message: error.message,
  details: { ...error.details, ...(requestId && { request_id: requestId }) },
});

/** Renders errors as HTML pages for browsers. */
export abstract class ErrorPages {
  /** Sends the error as a page. Returns false, without sending anything, when the request does not want a page. */
  abstract present(error: AppError, request: AppRequest, response: Response): boolean;
}

/** Sends an error as the JSON envelope, or as an HTML page when the request comes from a browser. */
@Injectable()
export class ErrorPresenter {
  private pages: ErrorPages | null = null;

  /** Sets the error pages. Called once, by `app.setup.ts`. */
  usePages(pages: ErrorPages): void {
    this.pages = pages;
  }

  present(error: AppError, request: AppRequest, response: Response): void {
    const { retryAfterSeconds } = error;
    response.status(error.entry.status);
    if (retryAfterSeconds !== undefined)
      response.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds))));
    if (error.entry.status === 401 && !response.hasHeader('WWW-Authenticate'))
      response.setHeader('WWW-Authenticate', 'Bearer realm="agate"');
    if (this.pages?.present(error, request, response)) return;
    response.setHeader('Cache-Control', 'no-store');
    // The route may already have set the content type of the response that it failed to send.
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.json(envelopeOf(error, request.context?.requestId));
  }
}
