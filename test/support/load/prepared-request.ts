import { randomUUID } from 'node:crypto';
import { type DeclaredRoute, declaredRoutes } from '#app/routes';
import { type AuditedRoute } from '../checks/audited-routes';
import { type RawResponse } from './raw-http';
import { requestRoute, idsOf } from '../checks/route-requests';
import { type Tenant } from '../actors/tenant';
import { type TestApp } from '../app/test-app';

/** How a route stands in the table of audited routes. */
export const nameOf = ({ method, path }: DeclaredRoute): string => `${method} ${path}`;

/** The route that a row speaks of, without the words in brackets that tell its cases apart. */
export const routeNameOf = (row: string): string => row.replace(/ \(.*\)$/, '');

/** Every route that changes something. */
export const mutatingRoutes = (app: TestApp): DeclaredRoute[] =>
  declaredRoutes(app.nest).filter(({ method }) => !['GET', 'HEAD'].includes(method));

/** What of a request may differ when it is made again. */
export interface Difference {
  readonly requestId?: string;
  /** Another process of the service. */
  readonly url?: string;
  /** Without its Idempotency-Key: nothing but the services' own transactions holds the effect together. */
  readonly keyless?: boolean;
  /** Something else is asked in the body, or in the query. */
  readonly asks?: 'the same' | 'another body' | 'another query';
}

/** One request, with one Idempotency-Key, which can be made again and again. */
export type PreparedRequest = (difference?: Difference) => Promise<RawResponse>;

/** Another artifact, another list of testers, or a property more. */
const other = (body: object | string): object | string =>
  typeof body === 'string' ? body.replace('#!/bin/sh', '#!/bin/ash').concat('\r\n') : { ...body, something: 'else' };

/** The request of a row of `AUDITED_ROUTES`. */
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
      body: typeof asked === 'string' ? asked : JSON.stringify(asked),
      ...(contentType && { contentType }),
      headers: {
        'X-Request-Id': requestId,
        ...(!keyless && { 'Idempotency-Key': key }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
    });
  };
}
