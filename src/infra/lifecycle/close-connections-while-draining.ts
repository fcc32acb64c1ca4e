import { type RequestHandler } from 'express';
import { type Readiness } from './readiness';

/**
 * Answers of a draining process say `Connection: close`, those to requests from before the drain too: whoever keeps
 * connections opens the next one elsewhere, and none is cut under a request that is just being sent.
 */
export const closeConnectionsWhileDraining =
  (readiness: Readiness): RequestHandler =>
  (_request, response, next) => {
    const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => typeof response;
    response.writeHead = (...head: unknown[]) => {
      if (readiness.isDraining && !response.headersSent) response.setHeader('Connection', 'close');
      return writeHead(...head);
    };
    next();
  };
