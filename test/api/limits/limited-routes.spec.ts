import { limitVariableOf } from '#infra/config/sections/limits-config';
import { LIMIT_CLASSES, type LimitClassName } from '#infra/rate-limit/limits';
import { credentialAccessOf, type DeclaredRoute, declaredRoutes } from '#app/routes';
import { type Developer } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { errorOf, idsNamedBy, requestRoute } from '../../support/checks/routes/route-requests';
import { type RawResponse } from '../../support/load/raw-http';

const NOWHERE = '00000000-0000-7000-8000-000000000000';
/** The documentation and the MCP server have no declared routes: see counters.spec.ts and agents/doors.spec.ts. */
const CLASSES = (Object.keys(LIMIT_CLASSES) as LimitClassName[]).filter((name) => name !== 'docs' && name !== 'mcp');
/** One request per route, three per address. */
const ENVIRONMENT = {
  ...Object.fromEntries(CLASSES.map((name) => [limitVariableOf(name), '1'])),
  ...{ RATE_LIMIT_FACTOR: '1', RATE_LIMIT_ADDRESS: '3', TRUST_PROXY: '127.0.0.1' },
};

describe('the rate limit of every route', () => {
  let app: TestApp;
  let ann: Developer;
  let token: string;
  let routes: DeclaredRoute[];
  beforeAll(async () => {
    const door = await TestApp.start({ worker: false });
    app = await TestApp.start({
      environment: ENVIRONMENT,
      beside: door,
      worker: false,
    });
    stops = [app, door];
    ann = await verifiedDeveloper(door);
    const { id } = await ann.createsOrganization();
    const pat = { name: 'Script', scopes: ['organization:read'] };
    token = ((await ann.post(`/pats?organization_id=${id}`, pat).expect(201)).body as { token: string }).token;
    routes = declaredRoutes(app.nest);
  });
  let stops: TestApp[] = [];
  afterAll(async () => {
    for (const each of stops) await each.stop();
  });

  let addresses = 0;
  const newAddress = (): string => `10.1.${(addresses += 1) >> 8}.${addresses & 255}`;
  /** Requests resources that do not exist, with a credential of minimal scope: rejected requests count, too. */
  const send = (route: DeclaredRoute, address: string): Promise<RawResponse> =>
    requestRoute(app.url, route, {
      ids: Object.fromEntries(idsNamedBy(route).map((name) => [name, NOWHERE])),
      headers: {
        Accept: 'application/json',
        'X-Forwarded-For': address,
        ...(credentialAccessOf(route) && { Authorization: `Bearer ${token}` }),
      },
    });

  /** @returns the problem of a 429 response, or null. */
  const faultOf = (response: RawResponse): string | null => {
    const retryAfter = response.headers['retry-after'] ?? '';
    const seconds = errorOf(response)?.details['retry_after_seconds'];
    if (response.status !== 429) return `status ${response.status}`;
    if (!/^[1-9]\d*$/.test(retryAfter)) return `Retry-After: ${retryAfter}`;
    return retryAfter === String(seconds) ? null : `${retryAfter} is not ${String(seconds)}`;
  };

  // red when: no route declares a class of LIMIT_CLASSES; a class ignores its variable; RouteLimitGuard ignores HEAD or anonymous
  // callers; the seconds in the details differ from the header
  it.each(CLASSES)('of class %s rejects too many requests, and accepts them again after Retry-After', async (name) => {
    const ofClass = routes.filter(({ limit }) => limit === name);
    expect(ofClass.length).toBeGreaterThan(0);
    const wrong: Record<string, unknown> = {};
    for (const route of ofClass) {
      await app.clock.advance({ seconds: LIMIT_CLASSES[name].windowSeconds });
      const address = newAddress();
      const first = await send(route, address);
      const refusal = await send(route, address);
      // A HEAD response has no details to compare.
      const fault = route.method === 'HEAD' && refusal.status === 429 ? null : faultOf(refusal);
      await app.clock.advance({ seconds: Number(refusal.headers['retry-after'] ?? 0) });
      const again = await send(route, address);
      if (first.status === 429 || fault !== null || again.status === 429 || first.headers['ratelimit-limit'] !== '1')
        wrong[route.name] = { first: first.status, fault, again: again.status, headers: first.headers };
    }
    expect(wrong).toEqual({});
  });

  it('reports the remaining seconds of the window, after which all of twenty clients are served', async () => {
    const path = '/api/v1/organizations';
    const route = routes.find(({ template, method }) => template === path && method === 'GET')!;
    await app.clock.advance({ minutes: 1 });
    const waits: number[] = [];
    for (let round = 0; round < 20; round++) {
      expect([round, (await send(route, newAddress())).status]).toEqual([round, 200]);
      await app.clock.advance({ seconds: 2 * round });
      const refusal = await send(route, newAddress());
      expect(faultOf(refusal)).toBeNull();
      waits.push(Number(refusal.headers['retry-after']));
      await app.clock.advance({ seconds: waits.at(-1)! });
    }
    // red when: FixedWindowStorage returns the length of the window, or toStorageRecord rounds down (clients that wait are
    // then rejected)
    waits.forEach((seconds, round) => expect(seconds).toBeLessThanOrEqual(60 - 2 * round));
  });
});
