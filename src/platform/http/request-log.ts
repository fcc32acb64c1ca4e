import { type NextFunction, type Response } from 'express';
import { pinoHttp } from 'pino-http';
import { principalOf } from '#kernel/context/identity';
import { type Logger } from '#platform/logging/logger';
import { loggablePath } from '#platform/logging/masking';
import { type AgateRequest } from './agate-request';

/** One line for every request, at its end. */
export function requestLog(logger: Logger): (request: AgateRequest, response: Response, next: NextFunction) => void {
  const middleware: unknown = pinoHttp({
    logger: logger.pino,
    genReqId: (request) => (request as AgateRequest).context.requestId,
    quietReqLogger: true,
    quietResLogger: true,
    customAttributeKeys: { reqId: 'requestId' },
    serializers: { req: () => undefined, res: () => undefined, err: () => undefined },
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'warn' : 'info'),
    customSuccessMessage: (request, response) => lineOf(request as AgateRequest, response.statusCode),
    customErrorMessage: (request, response) => lineOf(request as AgateRequest, response.statusCode),
    customSuccessObject: (request, _response, fields: object) => ({ ...fields, ...whoAsked(request as AgateRequest) }),
    customErrorObject: (request, _response, _error, fields: object) => ({
      ...fields,
      ...whoAsked(request as AgateRequest),
    }),
  });
  return middleware as (request: AgateRequest, response: Response, next: NextFunction) => void;
}

const whoAsked = ({ context: { sourceIp, identity } }: AgateRequest): object => ({
  sourceIp,
  principal: principalOf(identity),
});

const lineOf = (request: AgateRequest, status: number): string =>
  `${request.method} ${loggablePath(request.originalUrl)} ${status}`;
