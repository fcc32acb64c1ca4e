import { type CallHandler, type ExecutionContext, type NestInterceptor, UseInterceptors } from '@nestjs/common';
import { type Response } from 'express';
import { type Observable } from 'rxjs';
import { AppError } from '#kernel/errors/app-error';
import { type AppRequest } from '#infra/http/request/app-request';
import { disconnectionOf } from '#infra/http/response/disconnection';

const GONE = 'The client disconnected before its response was complete.';

/**
 * Gives the context of a request a signal: heavy statements stop waiting for the database when the client disconnects. Optionally makes all
 * statements of the request heavy.
 */
export class HeavyReadInterceptor implements NestInterceptor {
  constructor(private readonly allAreHeavy: boolean) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = execution.switchToHttp();
    const request = http.getRequest<AppRequest>();
    const signal = disconnectionOf(
      http.getResponse<Response>(),
      () => new AppError('operation_not_allowed', { message: GONE }),
    );
    request.context = { ...request.context, signal, ...(this.allAreHeavy && { isHeavy: true }) };
    return next.handle();
  }
}

/**
 * Makes the statements of a route heavy: they leave one connection of the organization to its other requests. For routes that are too
 * frequent for `Heavy`.
 */
export const HeavyRead = (): MethodDecorator => UseInterceptors(new HeavyReadInterceptor(true));

/**
 * Gives a route the signal only. Its statements are light, except those for which a repository sets `isHeavy` in the context, such as those of
 * a list with a search.
 */
export const PossiblyHeavyRead = (): MethodDecorator => UseInterceptors(new HeavyReadInterceptor(false));
