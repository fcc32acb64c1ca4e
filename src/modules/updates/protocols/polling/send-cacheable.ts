import { createHash } from 'node:crypto';
import { type Request, type Response } from 'express';

/** A response that clients poll. */
export interface CacheableBody {
  readonly contentType: string;
  readonly body: string;
}

const FRESH = 'public, max-age=60';

/** Sends a body with its ETag, or 304 to a client that has it. */
export function sendCacheable(request: Request, response: Response, { contentType, body }: CacheableBody): void {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  // `request.fresh` compares this header.
  response.setHeader('ETag', etag);
  const headers = { 'Cache-Control': FRESH, 'Content-Type': contentType };
  if (request.fresh) response.writeHead(304, headers).end();
  else response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

/** Tells an updater that its app is current. */
export function sendNothingNew(response: Response): void {
  response.status(204).set('Cache-Control', FRESH).end();
}

export const jsonBody = (value: object): CacheableBody => ({
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});
