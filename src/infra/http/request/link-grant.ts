import { type NextFunction, type Request, type Response } from 'express';
import { type AppRequest } from './app-request';

const PATH_WITH_GRANT = /^(\/install\/[^/?#]+)\/g\/([^/?#]+)(.*)$/i;

/**
 * Middleware that takes the grant out of the path of an install link: `/install/{token}/g/{grant}/qr.svg` becomes
 * `/install/{token}/qr.svg`, so that each route of a link exists below a grant. Nothing below a grant is stored by a cache.
 */
export function grantInPath(request: Request, response: Response, next: NextFunction): void {
  const found = request.url.includes('/g/') ? PATH_WITH_GRANT.exec(request.url) : null;
  if (found) {
    const [, link = '', grant, rest = ''] = found;
    (request as AppRequest).linkGrant = grant;
    request.url = `${link}${rest}`;
    neverStored(response);
  }
  next();
}

/** Replaces the caching that routes allow: the next visitor of the address may have no grant. */
function neverStored(response: Response): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => setHeader(name, name.toLowerCase() === 'cache-control' ? 'no-store' : value);
  response.setHeader('Cache-Control', 'no-store');
}
