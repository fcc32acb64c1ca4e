import { type IncomingMessage } from 'node:http';
import { type RequestHandler, type Response } from 'express';
import { type Metrics } from '#infra/metrics/metrics';

/** Middleware that counts and times each request, when its response is complete or its client has disconnected. */
export const requestMetrics =
  (metrics: Metrics): RequestHandler =>
  (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const route = routePatternOf(request);
      const labels = { method: request.method, route, status: statusOf(response) };
      metrics.count('agate_http_requests_total', labels);
      // An event stream lasts as long as its client is connected, which says nothing about the service.
      if (isEventStream(response)) return;
      metrics.observe('agate_http_request_duration_seconds', labels, (performance.now() - startedAt) / 1000);
    });
    next();
  };

const isEventStream = (response: Response): boolean =>
  String(response.getHeader('content-type')).startsWith('text/event-stream');

/** Status class such as `2xx`, or `cut` for a response that was not sent completely. An event stream has no end that could be missing. */
const statusOf = (response: Response): string => {
  const { writableFinished, statusCode } = response;
  return writableFinished || isEventStream(response) ? `${Math.floor(statusCode / 100)}xx` : 'cut';
};

/**
 * The pattern of the route that matched, for example `/api/v1/builds/:build_id`; `none` when no route matched. It has few
 * distinct values and holds neither ids nor tokens, so it is safe as a metric label.
 */
export function routePatternOf(request: IncomingMessage): string {
  const { route } = request as { readonly route?: { readonly path?: unknown } };
  // Nest handles unknown API paths with a route of its own, `*path`.
  return typeof route?.path === 'string' && route.path.startsWith('/') ? route.path : 'none';
}
