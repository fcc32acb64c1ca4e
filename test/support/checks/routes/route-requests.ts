import { decode } from 'jsonwebtoken';
import { credentialAccessOf, type DeclaredRoute } from '#app/routes';
import { type Tenant } from '../../actors/tenant';
import { rawRequest, type RawResponse } from '../../load/raw-http';

/** Parameters of path and query, by name. */
export type Ids = Readonly<Record<string, string>>;

const inPath = ({ path }: DeclaredRoute): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');

/** Names of the id parameters of a route: those in its path, and the parents that its `@Access` requires. */
export function idsNamedBy(route: DeclaredRoute): string[] {
  const access = credentialAccessOf(route);
  const parents = [
    ...(access?.organization !== undefined || access?.project !== undefined ? ['organization_id'] : []),
    ...(access?.project !== undefined ? ['project_id'] : []),
    // Releases also need their channel.
    ...(/^\/releases\b/.test(route.path) ? ['channel_id'] : []),
    ...(route.path === '/releases/recipients' ? ['build_id'] : []),
    ...(route.path === '/builds/:build_id/diff' ? ['against'] : []),
    ...(route.path === '/builds/:build_id/compare' ? ['with'] : []),
  ];
  return [...new Set([...inPath(route), ...parents])];
}

/**
 * The ids of a tenant's resources for a route. @throws for an unknown parameter: add it here, and every test that uses this
 * function covers it.
 */
export function idsOf(tenant: Tenant, route: DeclaredRoute): Ids {
  const known: Ids = {
    organization_id: tenant.organization.id,
    project_id: tenant.project.id,
    build_id: tenant.build.id,
    attachment_id: tenant.attachmentId,
    against: tenant.build.id,
    with: tenant.build.id,
    channel_id: tenant.channel.id,
    release_id: tenant.release.id,
    developer_id: tenant.member.id,
    session_id: sessionOf(tenant.member.token),
    invitation_id: tenant.invitationId,
    upload_id: tenant.uploadId,
    tester_id: tenant.testerId,
    device_id: tenant.deviceId,
    webhook_id: tenant.webhookId,
    webhook_delivery_id: tenant.webhookDeliveryId,
    update_key_id: tenant.updateKey.id,
    link_id: tenant.linkId,
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

/** The id of the session that issued an access token. */
const sessionOf = (token: string): string => (decode(token) as { sid: string }).sid;

/** Path and query of a route with these ids. */
export function pathOf(route: DeclaredRoute, ids: Ids): string {
  const named = inPath(route);
  const query = Object.entries(ids).filter(([name]) => !named.includes(name));
  const path = route.template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
  return query.length > 0 ? `${path}?${new URLSearchParams(query).toString()}` : path;
}

export interface RouteRequest {
  readonly ids: Ids;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: a body that every route rejects, so that an accepted request changes nothing. */
  readonly body?: Buffer | string;
  readonly contentType?: string;
}

export const UNACCEPTABLE = JSON.stringify({ there_is_no_such_field: true });

/** Sends a request to a route. */
export function requestRoute(url: string, route: DeclaredRoute, { ids, headers, body, contentType }: RouteRequest) {
  const sent = ['GET', 'HEAD'].includes(route.method) ? undefined : (body ?? UNACCEPTABLE);
  return rawRequest(url + pathOf(route, ids), {
    method: route.method,
    headers: {
      ...(sent !== undefined && {
        'Content-Type': contentType ?? 'application/json',
        // Node needs a Content-Length to send the body of a DELETE.
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

/** The error envelope of a response. Null when it has none. */
export function errorOf({ status, headers, text }: RawResponse): Envelope | null {
  const json = headers['content-type']?.startsWith('application/json') ?? false;
  return status >= 400 && json && text !== '' ? (JSON.parse(text) as Envelope) : null;
}

/** Everything in a response that a client can compare, without the request id and the date. */
export function comparable({ status, headers, text }: RawResponse): object {
  const { date: _date, 'x-request-id': requestId, ...rest } = headers;
  return { status, headers: rest, text: text.replaceAll(String(requestId), '[request id]') };
}
