import { type IncomingMessage } from 'node:http';
import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { json, type NextFunction, type Request, type RequestHandler, type Response, text, urlencoded } from 'express';
import { type Observable } from 'rxjs';
import { AppError } from '#kernel/errors/app-error';
import { type AppRequest } from './app-request';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';

/** Every body but an upload's: generous for JSON, far from harmful. */
const MAX_BODY = '1mb';

/** A body of that size that takes longer comes from somebody who wants to keep a connection. */
const MAX_BODY_MS = 60_000;

/**
 * Reads JSON, form and CSV bodies. A body that cannot be read is told only after authorization (contract §2), so the fault is
 * kept for {@link BodyErrorInterceptor}.
 */
export const bodyParsers = (): RequestHandler[] => [
  ...[
    json({ limit: MAX_BODY, strict: true, verify: keepSigned }),
    urlencoded({ limit: MAX_BODY, extended: false, parameterLimit: 100 }),
    text({ limit: MAX_BODY, type: 'text/csv' }),
  ].map(deferred),
  absentIsEmpty,
];

/** A signature is of the bytes, not of what they mean. */
const keepSigned = (request: IncomingMessage, _response: unknown, bytes: Buffer): void => {
  if (request.headers['stripe-signature'] !== undefined) (request as AppRequest).signedBody = bytes;
};

/**
 * No body says as much as `{}`: where nothing in it is required, it may be left out (specification §4: /login/refresh). A
 * body of a kind that nobody reads stays absent, and is refused: it would pass silently.
 */
const absentIsEmpty = (request: Request, _response: Response, next: NextFunction): void => {
  const { 'transfer-encoding': encoding, 'content-length': length } = request.headers;
  if (request.body === undefined && encoding === undefined && Number(length ?? 0) === 0) request.body = {};
  next();
};

const deferred =
  (parser: RequestHandler): RequestHandler =>
  (request, response: Response, next: NextFunction): void => {
    let isOver = false;
    const goOn = (error?: unknown): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(tooLong);
      if (error) (request as AppRequest).bodyError = error;
      next();
    };
    const tooLong = setTimeout(() => goOn(tooSlow()), MAX_BODY_MS);
    parser(request, response, goOn);
  };

const tooSlow = (): AppError => new AppError('validation_error', { message: 'The body took too long to arrive.' });

/** Refuses a body that could not be read, once it is known that the caller may send one. */
@Injectable()
export class BodyErrorInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { bodyError } = execution.switchToHttp().getRequest<AppRequest>();
    // The filter knows what the parser's errors mean.
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- it is what the parser threw
    if (bodyError) throw bodyError;
    return next.handle();
  }
}

/** The text of a body that was sent as `text/csv`. */
export const CsvBody = createParamDecorator((_: unknown, execution: ExecutionContext): string => {
  const body: unknown = execution.switchToHttp().getRequest<AppRequest>().body;
  if (typeof body !== 'string') throw AppError.validation([{ field: '', messages: ['send the file as text/csv'] }]);
  return body;
});

/** A route that takes a CSV file as its body (RFC 4180). */
export const AcceptsCsv = (example: string): MethodDecorator =>
  applyDecorators(ApiConsumes('text/csv'), ApiBody({ required: true, schema: { type: 'string', example } }));
