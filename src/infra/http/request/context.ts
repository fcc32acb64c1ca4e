import { type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type NextFunction, type Response } from 'express';
import { ANONYMOUS } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { type Clock } from '#kernel/context/clock';
import { type AppRequest } from './app-request';

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The client's own, if it is sane. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && SANE_REQUEST_ID.test(sent) ? sent : newId();
}

/** Gives every request its id and a context in which nobody is known yet; authentication fills in who asks. */
export const requestContext =
  (clock: Clock) =>
  (request: AppRequest, response: Response, next: NextFunction): void => {
    const requestId = requestIdOf(request);
    request.context = { requestId, sourceIp: addressOf(request), identity: ANONYMOUS, clock };
    response.setHeader('X-Request-Id', requestId);
    next();
  };

/** The client's address as far as `TRUST_PROXY` says; IPv4 in its own spelling; never a string that a client made up. */
function addressOf(request: AppRequest): string | null {
  const address = (request.ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIP(address) ? address : null;
}

/** The request's context: first argument of every service method. */
export const Ctx = createParamDecorator(
  (_: unknown, execution: ExecutionContext): RequestContext =>
    execution.switchToHttp().getRequest<AppRequest>().context,
);
