import { type IncomingMessage } from 'node:http';

/**
 * The pattern of the route that a request has found: `/api/v1/builds/:build_id`. It has the same few values whatever clients ask
 * for, and holds neither ids nor tokens.
 */
export function routePatternOf(request: IncomingMessage): string {
  const { route } = request as { readonly route?: { readonly path?: unknown } };
  // What leads nowhere within the API, Nest answers by a route of its own: `*path`.
  return typeof route?.path === 'string' && route.path.startsWith('/') ? route.path : 'none';
}
