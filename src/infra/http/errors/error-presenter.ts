import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { type AppError } from '#kernel/errors/app-error';
import { type AppRequest } from '../request/app-request';

/** The envelope of specification §7. */
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

/** Shows an error to a person as a page; returns false where it has none for this request. */
export abstract class ErrorPages {
  abstract present(error: AppError, request: AppRequest, response: Response): boolean;
}

/** Writes an error as the JSON envelope, or as a page where a person with a browser asks. */
@Injectable()
export class ErrorPresenter {
  private pages: ErrorPages | null = null;

  /** Installs the pages; called once, by `app.setup.ts`. */
  usePages(pages: ErrorPages): void {
    this.pages = pages;
  }

  present(error: AppError, request: AppRequest, response: Response): void {
    const { retryAfterSeconds } = error;
    response.status(error.entry.status);
    if (retryAfterSeconds !== undefined)
      response.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds))));
    if (error.entry.status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="agate"');
    if (this.pages?.present(error, request, response)) return;
    response.setHeader('Cache-Control', 'no-store');
    // The route may have named the type of what it did not come to send.
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.json(envelopeOf(error, request.context?.requestId));
  }
}
