import { type NestExpressApplication } from '@nestjs/platform-express';
import { type RequestHandler, type Response } from 'express';
import { AppError } from '#kernel/errors/app-error';
import { ErrorPresenter } from '#infra/http/errors/error-presenter';
import { type AppRequest } from '#infra/http/request/app-request';
import { type LimitClassName } from '#infra/rate-limit/limits';
import { RateLimiter } from '#infra/rate-limit/rate-limiter';

type Limited = <P>(name: LimitClassName, handler: RequestHandler<P>) => RequestHandler<P>;

/** Counts the requests of an address before the handler runs, as the guards do for routes. Its errors are presented like theirs. */
export function limitedOn(app: NestExpressApplication, counter: string): Limited {
  const [limiter, presenter] = [app.get(RateLimiter), app.get(ErrorPresenter)];
  const count = async (name: LimitClassName, request: AppRequest, response: Response): Promise<void> => {
    const { sourceIp } = request.context;
    await limiter.count('address', limiter.forAddress('address', 'address', sourceIp), response);
    await limiter.count(name, limiter.forAddress(name, `${counter}.${name}`, sourceIp), response);
  };
  return (name, handler) => async (request, response, next) => {
    try {
      await count(name, request as unknown as AppRequest, response);
      await handler(request, response, next);
    } catch (error) {
      if (!(error instanceof AppError)) return next(error);
      presenter.present(error, request as unknown as AppRequest, response);
    }
  };
}
