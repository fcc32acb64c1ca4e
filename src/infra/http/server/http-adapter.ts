import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { type Express } from 'express';

/** The interval of Node's checks for incomplete headers. Its default of half a minute would nearly double the lifetime of connections. */
const CHECK_MS = 5_000;

/**
 * An ExpressAdapter whose server creates requests and responses with Express's prototypes. Express would change the prototype of each
 * request and response after Node has created it. V8 would then derive new hidden classes for the object, and cache none of its property
 * accesses, which takes longer than the rest of Express. Options of `NestFactory.create` for the server have no effect.
 */
export class HttpAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const express: Express = this.getInstance();
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {}
    express.request = inheriting(ExpressRequest.prototype, express.request);
    express.response = inheriting(ExpressResponse.prototype, express.response);
    const classes = { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
    this.httpServer = createServer({ ...classes, connectionsCheckingInterval: CHECK_MS }, express);
  }
}

const inheriting = <T extends object>(prototype: object, parent: T): T => Object.setPrototypeOf(prototype, parent) as T;
