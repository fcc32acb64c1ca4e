import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type NextFunction, type Response } from 'express';
import { type Clock } from '#kernel/context/clock';
import { ANONYMOUS } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { callerOf } from '../server/in-process-requests';
import { type AppRequest } from './app-request';

const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The client's `X-Request-Id`; undefined when it is absent or malformed. */
function clientRequestIdOf({ headers }: AppRequest): string | undefined {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && VALID_REQUEST_ID.test(sent) ? sent : undefined;
}

/**
 * Middleware that gives each request its id and an anonymous context. Authentication sets the identity later. The id is always a new one:
 * a client that chose it could give its audit events the id of another request.
 */
export const requestContext =
  (clock: Clock) =>
  (request: AppRequest, response: Response, next: NextFunction): void => {
    // A random id is enough, because nothing is sorted by it. `newId` takes twenty times as long: it requests random bytes of the system
    // each time.
    const requestId = randomUUID();
    removePorts(request);
    const clientRequestId = clientRequestIdOf(request);
    const caller = callerOf(request.socket);
    request.context = {
      requestId,
      ...(clientRequestId && { clientRequestId }),
      ...(caller && { client: caller.client }),
      sourceIp: caller ? caller.sourceIp : addressOf(request),
      identity: ANONYMOUS,
      clock,
    };
    response.setHeader('X-Request-Id', requestId);
    next();
  };

/** An address with its port, which some load balancers append: `192.0.2.1:50001`, `[2001:db8::1]:50001`, and also `[2001:db8::1]`. */
const WITH_PORT = /^(?:\[([0-9a-f:.]+(?:%[^\]]*)?)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/i;

/** Removes ports and brackets from `X-Forwarded-For`, before Express compares its addresses with those of trusted proxies. */
function removePorts({ headers }: AppRequest): void {
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string' || !/[\]:]/.test(forwarded)) return;
  const addresses = forwarded.split(',').map((each) => {
    const [, inBrackets, plain] = WITH_PORT.exec(each.trim()) ?? [];
    return inBrackets ?? plain ?? each.trim();
  });
  headers['x-forwarded-for'] = addresses.join(', ');
}

/**
 * The client's IP address, as determined with `TRUST_PROXY`. IPv4-mapped addresses become IPv4. Null when it is not a valid
 * IP.
 */
function addressOf(request: AppRequest): string | null {
  const address = (request.ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIP(address) ? address : null;
}

/** Parameter decorator: the request's context, the first argument of every service method. */
export const Ctx = createParamDecorator(
  (_: unknown, execution: ExecutionContext): RequestContext =>
    execution.switchToHttp().getRequest<AppRequest>().context,
);
