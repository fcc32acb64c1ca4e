import { type RequestHandler, type Response } from 'express';
import { type Metrics } from '#infra/metrics/metrics';
import { routePatternOf } from './route-pattern';

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
