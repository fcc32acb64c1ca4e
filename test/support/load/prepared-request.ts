import { randomUUID } from 'node:crypto';
import { type DeclaredRoute, declaredRoutes } from '#app/routes';
import { type Tenant } from '../actors/tenant';
import { type TestApp } from '../app/test-app';
import { type AuditedRoute } from '../checks/routes/audited-routes';
import { idsOf, requestRoute } from '../checks/routes/route-requests';
import { type RawResponse } from './raw-http';

/** The key of a route in the table of audited routes. */
export const nameOf = ({ method, path }: DeclaredRoute): string => `${method} ${path}`;

/** The route of a row, without the case in parentheses. */
export const routeNameOf = (row: string): string => row.replace(/ \(.*\)$/, '');

/** All routes with a method that changes something. */
export const mutatingRoutes = (app: TestApp): DeclaredRoute[] =>
  declaredRoutes(app.nest).filter(({ method }) => !['GET', 'HEAD'].includes(method));

/** The differences of a repeated request from the first. */
export interface Difference {
  readonly requestId?: string;
  /** URL of another process of the service. */
  readonly url?: string;
  /** Sends no Idempotency-Key, so that only database transactions protect the effect. */
  readonly keyless?: boolean;
  /** Changes the body or the query. */
  readonly asks?: 'the same' | 'another body' | 'another query';
}

/** Sends a request. Each call repeats it, with the same Idempotency-Key. */
export type PreparedRequest = (difference?: Difference) => Promise<RawResponse>;

/** A different artifact, list of testers or property. */
const other = (body: object | string): object | string =>
  typeof body === 'string' ? body.replace('#!/bin/sh', '#!/bin/ash').concat('\r\n') : { ...body, something: 'else' };

/** Prepares the request of a row of `AUDITED_ROUTES`. */
export async function prepareRequest(
  app: TestApp,
  tenant: Tenant,
  route: DeclaredRoute,
  { prepare }: AuditedRoute,
): Promise<PreparedRequest> {
  const sent = await prepare(app, tenant);
  const { body = {}, contentType, token = tenant.admin.token } = sent;
  const ids = sent.ids ?? idsOf(tenant, route);
  const key = randomUUID();
  return ({ requestId = randomUUID(), url = app.url, keyless = false, asks = 'the same' } = {}) => {
    const asked = asks === 'another body' ? other(body) : body;
    return requestRoute(url, route, {
      ids: asks === 'another query' ? { ...ids, something: 'else' } : ids,
      body: typeof asked === 'string' || Buffer.isBuffer(asked) ? asked : JSON.stringify(asked),
      ...(contentType && { contentType }),
      headers: {
        'X-Request-Id': requestId,
        ...(!keyless && { 'Idempotency-Key': key }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
    });
  };
}
