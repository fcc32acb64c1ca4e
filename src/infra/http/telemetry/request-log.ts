import { type NextFunction, type Response } from 'express';
import { principalOf } from '#kernel/context/identity';
import { type Logger } from '#infra/logging/logger';
import { loggablePath } from '#infra/logging/masking';
import { type AppRequest } from '../request/app-request';

/** Middleware that logs one line per request, when its response is complete or its client has disconnected. */
export const requestLog =
  (logger: Logger) =>
  (request: AppRequest, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    let failed = false;
    // Without a listener, an error of the response would end the process.
    response.on('error', () => (failed = true));
    response.once('close', () => {
      const { requestId, clientRequestId, sourceIp, identity } = request.context;
      const level = failed || response.statusCode >= 500 ? 'warn' : 'info';
      const fields = {
        requestId,
        responseTime: Math.round(performance.now() - startedAt),
        ...(clientRequestId && { clientRequestId }),
        sourceIp,
        principal: principalOf(identity),
      };
      logger.request(level, fields, `${request.method} ${loggablePath(request.originalUrl)} ${response.statusCode}`);
    });
    next();
  };
