import { type NextFunction, type Response } from 'express';
import { pinoHttp } from 'pino-http';
import { principalOf } from '#kernel/context/identity';
import { type Logger } from '#infra/logging/logger';
import { loggablePath } from '#infra/logging/masking';
import { type AppRequest } from '../request/app-request';

/** Middleware that logs one line per request, when it ends. */
export function requestLog(logger: Logger): (request: AppRequest, response: Response, next: NextFunction) => void {
  const middleware: unknown = pinoHttp({
    logger: logger.pino,
    genReqId: (request) => (request as AppRequest).context.requestId,
    quietReqLogger: true,
    quietResLogger: true,
    customAttributeKeys: { reqId: 'requestId' },
    serializers: { req: () => undefined, res: () => undefined, err: () => undefined },
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'warn' : 'info'),
    customSuccessMessage: (request, response) => messageOf(request as AppRequest, response.statusCode),
    customErrorMessage: (request, response) => messageOf(request as AppRequest, response.statusCode),
    customSuccessObject: (request, _response, fields: object) => ({ ...fields, ...callerOf(request as AppRequest) }),
    customErrorObject: (request, _response, _error, fields: object) => ({
      ...fields,
      ...callerOf(request as AppRequest),
    }),
  });
  return middleware as (request: AppRequest, response: Response, next: NextFunction) => void;
}

const callerOf = ({ context: { clientRequestId, sourceIp, identity } }: AppRequest): object => ({
  ...(clientRequestId && { clientRequestId }),
  sourceIp,
  principal: principalOf(identity),
});

const messageOf = (request: AppRequest, status: number): string =>
  `${request.method} ${loggablePath(request.originalUrl)} ${status}`;
