import { type RequestHandler } from 'express';

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether browsers trust the origin of a request: https, or the machine itself. */
const isTrustworthy = (baseUrl: string, hostname: string): boolean =>
  baseUrl.startsWith('https:') || LOOPBACK.test(hostname);

/**
 * Separates pages from those of other origins. Browsers ignore these headers on origins that they do not trust, and log an error or a
 * warning for each page, so they are not sent there.
 */
export const isolationHeaders =
  (baseUrl: string): RequestHandler =>
  (request, response, next) => {
    if (isTrustworthy(baseUrl, request.hostname)) {
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Origin-Agent-Cluster', '?1');
    }
    next();
  };
