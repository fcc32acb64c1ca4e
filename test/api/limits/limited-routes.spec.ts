import { credentialAccessOf, declaredRoutes, type DeclaredRoute } from '#app/routes';
import { LIMIT_CLASSES, type LimitClassName } from '#infra/rate-limit/limits';
import { type Developer } from '../../support/actors/actors';
import { type RawResponse } from '../../support/load/raw-http';
import { requestRoute, errorOf, idsNamedBy } from '../../support/checks/route-requests';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

/** One request of every class, three of an address. */
const RATE_LIMIT_FACTOR = '0.001';
const NOWHERE = '00000000-0000-7000-8000-000000000000';
const CLASSES = Object.keys(LIMIT_CLASSES) as LimitClassName[];

/** Reliability L1, for each route there is. */
describe('the rate limit of every route', () => {
  let app: TestApp;
  let ann: Developer;
  let token: string;
  let routes: DeclaredRoute[];
  beforeAll(async () => {
    const door = await TestApp.start({ worker: false });
    app = await TestApp.start({
      environment: { RATE_LIMIT_FACTOR, TRUST_PROXY: '127.0.0.1' },
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
  /** Asks for what there is not, with a credential that may do next to nothing: what is counted is not what is allowed. */
  const asks = (route: DeclaredRoute, address: string): Promise<RawResponse> =>
    requestRoute(app.url, route, {
      ids: Object.fromEntries(idsNamedBy(route).map((name) => [name, NOWHERE])),
      headers: {
        Accept: 'application/json',
        'X-Forwarded-For': address,
        ...(credentialAccessOf(route) && { Authorization: `Bearer ${token}` }),
      },
    });

  /** @returns what is wrong with a refusal, for a table of all of them. */
  const faultOf = (answer: RawResponse): string | null => {
    const told = answer.headers['retry-after'] ?? '';
    const seconds = errorOf(answer)?.details['retry_after_seconds'];
    if (answer.status !== 429) return `status ${answer.status}`;
    if (!/^[1-9]\d*$/.test(told)) return `Retry-After: ${told}`;
    return told === String(seconds) ? null : `${told} is not ${String(seconds)}`;
  };

  // red when: LIMIT_CLASSES has a class that no route declares; BudgetGuard lets HEAD pass, or RouteLimitGuard whoever is anonymous;
  // throwThrottlingException tells other seconds in the details than in the header
  it.each(CLASSES)(
    'of class %s refuses what is too much, and takes whoever has waited as long as told',
    async (name) => {
      const ofClass = routes.filter(({ limit }) => limit === name);
      expect(ofClass.length).toBeGreaterThan(0);
      const wrong: Record<string, unknown> = {};
      for (const route of ofClass) {
        await app.clock.advance({ seconds: LIMIT_CLASSES[name].windowSeconds });
        const address = newAddress();
        const first = await asks(route, address);
        const refusal = await asks(route, address);
        // HEAD has no body to say it twice.
        const fault = route.method === 'HEAD' && refusal.status === 429 ? null : faultOf(refusal);
        await app.clock.advance({ seconds: Number(refusal.headers['retry-after'] ?? 0) });
        const again = await asks(route, address);
        if (first.status === 429 || fault !== null || again.status === 429 || first.headers['ratelimit-limit'] !== '1')
          wrong[route.name] = { first: first.status, fault, again: again.status, headers: first.headers };
      }
      expect(wrong).toEqual({});
    },
  );

  it('tells the seconds that are left, not the length of the window: twenty of twenty who obey are served', async () => {
    const path = '/api/v1/organizations';
    const route = routes.find(({ template, method }) => template === path && method === 'GET')!;
    await app.clock.advance({ minutes: 1 });
    const told: number[] = [];
    for (let round = 0; round < 20; round++) {
      expect([round, (await asks(route, newAddress())).status]).toEqual([round, 200]);
      await app.clock.advance({ seconds: 2 * round });
      const refusal = await asks(route, newAddress());
      expect(faultOf(refusal)).toBeNull();
      told.push(Number(refusal.headers['retry-after']));
      await app.clock.advance({ seconds: told.at(-1)! });
    }
    // red when: FixedWindowStorage tells the window's length, or toStorageRecord rounds down (then whoever obeys is refused)
    told.forEach((seconds, round) => expect(seconds).toBeLessThanOrEqual(60 - 2 * round));
  });
});
