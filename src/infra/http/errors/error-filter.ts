import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, HttpStatus } from '@nestjs/common';
import { type Response } from 'express';
import { AppError } from '#kernel/errors/app-error';
import { databaseErrorToAppError, isBrokenRule, isForbidden } from '#infra/database/database-errors';
import { Logger } from '#infra/logging/logger';
import { type AppRequest } from '../request/app-request';
import { ErrorPresenter } from './error-presenter';

interface BodyParserError {
  readonly type?: string;
  readonly status?: number;
}

/** Turns every thrown error into the error envelope `{error, message, details}`, and logs server errors. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly presenter: ErrorPresenter,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<AppRequest>();
    const response = http.getResponse<Response>();
    const error = toAppError(thrown);
    this.log(error, thrown, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    this.presenter.present(error, request, response);
  }

  private log(error: AppError, thrown: unknown, request: AppRequest): void {
    const { level, code } = error.entry;
    const requestId = request.context?.requestId;
    if (level === 'error' || isBrokenRule(thrown))
      this.logger.error({ requestId, code, err: thrown }, headlineOf(thrown));
    else if (level === 'warn') this.logger.warn({ requestId, code, err: error.cause }, error.message);
  }
}

function headlineOf(thrown: unknown): string {
  if (isForbidden(thrown))
    return 'request failed: the database role lacks a privilege (docs/operations.md, "Two database roles")';
  if (isBrokenRule(thrown))
    return 'request rejected by a database constraint that the service should have checked first: this is a bug';
  return 'request failed';
}

/** Maps a thrown value to the error that the client sees. Unknown errors become `internal_error`, which reveals no internals. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const fromDatabase = databaseErrorToAppError(thrown);
  if (fromDatabase) return fromDatabase;
  if (thrown instanceof HttpException) return fromHttpException(thrown);
  return fromBodyParser(thrown as BodyParserError) ?? new AppError('internal_error', { cause: thrown });
}

function fromHttpException(exception: HttpException): AppError {
  switch (exception.getStatus()) {
    case Number(HttpStatus.NOT_FOUND):
      return new AppError('not_found');
    case Number(HttpStatus.UNAUTHORIZED):
      return new AppError('unauthorized');
    case Number(HttpStatus.PAYLOAD_TOO_LARGE):
      return new AppError('payload_too_large');
    default:
      return exception.getStatus() < 500
        ? new AppError('validation_error', { message: 'The request is malformed.', cause: exception })
        : new AppError('internal_error', { cause: exception });
  }
}

function fromBodyParser(error: BodyParserError | null): AppError | null {
  if (error?.type === 'entity.too.large') return new AppError('payload_too_large');
  if (error?.status === undefined || error.status < 400 || error.status >= 500) return null;
  const message = error.type === 'entity.parse.failed' ? 'The body is not valid JSON.' : 'The request is malformed.';
  return new AppError('validation_error', { message, cause: error });
}
