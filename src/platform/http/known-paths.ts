import { type NextFunction, type Response } from 'express';
import { AppError } from '#kernel/errors/app-error';
import { type AgateRequest } from './agate-request';
import { type ErrorPresenter } from './error-presenter';

/**
 * Answers `not_found` for whatever is under none of the prefixes: the framework knows of no address outside the API's own,
 * and Express would answer with a page of its own (specification §7: every 4xx is the envelope).
 */
export const knownPaths =
  (prefixes: readonly string[], presenter: ErrorPresenter) =>
  (request: AgateRequest, response: Response, next: NextFunction): void => {
    const path = request.path.toLowerCase();
    if (prefixes.some((prefix) => path.startsWith(`/${prefix}/`))) next();
    else presenter.present(new AppError('not_found'), request, response);
  };
