import { type NextFunction, type Response } from 'express';
import { pinoHttp } from 'pino-http';
import { principalOf } from '#kernel/context/identity';
import { type Logger } from '#infra/logging/logger';
import { loggablePath } from '#infra/logging/masking';
import { type AppRequest } from '../request/app-request';

/** One line for every request, at its end. */
export function requestLog(logger: Logger): (request: AppRequest, response: Response, next: NextFunction) => void {
  const middleware: unknown = pinoHttp({
    logger: logger.pino,
    genReqId: (request) => (request as AppRequest).context.requestId,
    quietReqLogger: true,
    quietResLogger: true,
    customAttributeKeys: { reqId: 'requestId' },
    serializers: { req: () => undefined, res: () => undefined, err: () => undefined },
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'warn' : 'info'),
    customSuccessMessage: (request, response) => lineOf(request as AppRequest, response.statusCode),
    customErrorMessage: (request, response) => lineOf(request as AppRequest, response.statusCode),
    customSuccessObject: (request, _response, fields: object) => ({ ...fields, ...whoAsked(request as AppRequest) }),
    customErrorObject: (request, _response, _error, fields: object) => ({
      ...fields,
      ...whoAsked(request as AppRequest),
    }),
  });
  return middleware as (request: AppRequest, response: Response, next: NextFunction) => void;
}

const whoAsked = ({ context: { sourceIp, identity } }: AppRequest): object => ({
  sourceIp,
  principal: principalOf(identity),
});

const lineOf = (request: AppRequest, status: number): string =>
  `${request.method} ${loggablePath(request.originalUrl)} ${status}`;
