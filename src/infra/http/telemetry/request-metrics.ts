import { type RequestHandler, type Response } from 'express';
import { type Metrics } from '#infra/metrics/metrics';
import { type IncomingMessage } from 'node:http';

/** Counts and times every request, when its answer is out or its client has left. */
export const requestMetrics =
  (metrics: Metrics): RequestHandler =>
  (request, response, next) => {
    const begun = performance.now();
    response.once('close', () => {
      const route = routePatternOf(request);
      const labels = { method: request.method, route, status: statusOf(response) };
      metrics.count('agate_http_requests_total', labels);
      metrics.observe('agate_http_request_duration_seconds', labels, (performance.now() - begun) / 1000);
    });
    next();
  };

/** `2xx`; `cut` for an answer that did not get out whole. */
const statusOf = ({ writableFinished, statusCode }: Response): string =>
  writableFinished ? `${Math.floor(statusCode / 100)}xx` : 'cut';

/**
 * The pattern of the route that a request has found: `/api/v1/builds/:build_id`. It has the same few values whatever clients ask
 * for, and holds neither ids nor tokens.
 */
export function routePatternOf(request: IncomingMessage): string {
  const { route } = request as { readonly route?: { readonly path?: unknown } };
  // What leads nowhere within the API, Nest answers by a route of its own: `*path`.
  return typeof route?.path === 'string' && route.path.startsWith('/') ? route.path : 'none';
}
