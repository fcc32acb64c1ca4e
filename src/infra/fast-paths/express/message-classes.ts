import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import { type Express } from 'express';

/**
 * Classes with which a server creates requests and responses that have Express's prototypes. Express would change the prototype of each
 * request and response after Node has created it. V8 would then derive new hidden classes for the object, and cache none of its property
 * accesses, which takes longer than the rest of Express.
 */
export function messageClasses(express: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  express.request = inheriting(ExpressRequest.prototype, express.request);
  express.response = inheriting(ExpressResponse.prototype, express.response);
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse } as never;
}

const inheriting = <T extends object>(prototype: object, parent: T): T => Object.setPrototypeOf(prototype, parent) as T;
