import { type IncomingMessage } from 'node:http';

/**
 * The pattern of the route that a request has found: `/api/v1/builds/:build_id`. It has the same few values whatever clients ask
 * for, and holds neither ids nor tokens.
 */
export function routePatternOf(request: IncomingMessage): string {
  const { route } = request as { readonly route?: { readonly path?: unknown } };
  return typeof route?.path === 'string' ? route.path : 'none';
}
