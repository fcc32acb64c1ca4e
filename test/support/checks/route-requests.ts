import { credentialAccessOf, type DeclaredRoute } from '#app/routes';
import { rawRequest, type RawResponse } from '../load/raw-http';
import { type Tenant } from '../actors/tenant';

/** The ids of a request by the names of their parameters, in path and query. */
export type Ids = Readonly<Record<string, string>>;

const inPath = ({ path }: DeclaredRoute): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');

/** The parameters of a route that are ids: those of its path, and the parents that its `@Access` speaks of. */
export function idsNamedBy(route: DeclaredRoute): string[] {
  const access = credentialAccessOf(route);
  const parents = [
    ...(access?.organization !== undefined || access?.project !== undefined ? ['organization_id'] : []),
    ...(access?.project !== undefined ? ['project_id'] : []),
    // Specification §4 convention 2.
    ...(/^\/releases\b/.test(route.path) ? ['channel_id'] : []),
  ];
  return [...new Set([...inPath(route), ...parents])];
}

/** A tenant's own ids for a route. @throws for a parameter that is not known here: add it, and it is tested everywhere. */
export function idsOf(tenant: Tenant, route: DeclaredRoute): Ids {
  const known: Ids = {
    organization_id: tenant.organization.id,
    project_id: tenant.project.id,
    build_id: tenant.build.id,
    channel_id: tenant.channel.id,
    release_id: tenant.release.id,
    developer_id: tenant.member.id,
    invitation_id: tenant.invitationId,
    upload_id: tenant.uploadId,
    tester_id: tenant.testerId,
    token_id: route.path.startsWith('/pats') ? tenant.pat.id : tenant.projectToken.id,
  };
  return Object.fromEntries(
    idsNamedBy(route).map((name) => {
      const id = known[name];
      if (id === undefined) throw new Error(`${route.name}: which id is :${name}?`);
      return [name, id];
    }),
  );
}

/** The path and query of a route with these ids. */
export function pathOf(route: DeclaredRoute, ids: Ids): string {
  const named = inPath(route);
  const query = Object.entries(ids).filter(([name]) => !named.includes(name));
  const path = route.template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
  return query.length > 0 ? `${path}?${new URLSearchParams(query).toString()}` : path;
}

export interface RouteRequest {
  readonly ids: Ids;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: a body that no route with a body accepts, so that whoever is let in changes nothing. */
  readonly body?: string;
  readonly contentType?: string;
}

export const UNACCEPTABLE = JSON.stringify({ there_is_no_such_field: true });

/** Asks a route. */
export function requestRoute(url: string, route: DeclaredRoute, { ids, headers, body, contentType }: RouteRequest) {
  const sent = ['GET', 'HEAD'].includes(route.method) ? undefined : (body ?? UNACCEPTABLE);
  return rawRequest(url + pathOf(route, ids), {
    method: route.method,
    headers: {
      ...(sent !== undefined && {
        'Content-Type': contentType ?? 'application/json',
        // Node would send the body of a DELETE without saying where it ends.
        'Content-Length': String(Buffer.byteLength(sent)),
      }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  });
}

export interface Envelope {
  readonly error: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The error of an answer, or null where it is none or holds no envelope. */
export function errorOf({ status, headers, text }: RawResponse): Envelope | null {
  const json = headers['content-type']?.startsWith('application/json') ?? false;
  return status >= 400 && json && text !== '' ? (JSON.parse(text) as Envelope) : null;
}

/** All of an answer that a client can tell from another, but for what names the request and the moment. */
export function comparable({ status, headers, text }: RawResponse): object {
  const { date: _date, 'x-request-id': requestId, ...rest } = headers;
  return { status, headers: rest, text: text.replaceAll(String(requestId), '[request id]') };
}
