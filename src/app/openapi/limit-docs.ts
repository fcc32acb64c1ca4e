import { type INestApplication } from '@nestjs/common';
import { type RequestHandler } from 'express';
import { type AppError } from '#kernel/errors/app-error';
import { ErrorPresenter } from '#infra/http/errors/error-presenter';
import { type AppRequest } from '#infra/http/request/app-request';
import { RateLimiter } from '#infra/rate-limit/rate-limiter';

/** Middleware that limits the requests for the OpenAPI document and Swagger UI, which do not pass the guards. */
export function limitDocs(app: INestApplication): RequestHandler {
  const [limiter, presenter] = [app.get(RateLimiter), app.get(ErrorPresenter)];
  return (request, response, next) => {
    const { sourceIp } = (request as AppRequest).context;
    void limiter
      .count('address', limiter.forAddress('address', 'address', sourceIp), response)
      .then(() => limiter.count('docs', limiter.forAddress('docs', 'docs', sourceIp), response))
      .then(
        () => next(),
        (error: unknown) => presenter.present(error as AppError, request as AppRequest, response),
      );
  };
}
