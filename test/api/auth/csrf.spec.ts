import { credentialAccessOf, type DeclaredRoute, declaredRoutes } from '#app/routes';
import { requestRoute, errorOf, idsNamedBy, UNACCEPTABLE } from '../../support/checks/route-requests';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { type Developer } from '../../support/actors/actors';
import { rawRequest } from '../../support/load/raw-http';
import { TestApp } from '../../support/app/test-app';

const DASHBOARD = 'https://dashboard.example.com';
const OWN = 'http://localhost:3000';

type Headers = Readonly<Record<string, string>>;

/** What a browser says of a request that a page of another site makes. */
const FOREIGN: readonly Headers[] = [
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.com' },
  { 'Sec-Fetch-Site': 'same-site', Origin: 'http://localhost:4000' },
  { Origin: 'https://evil.example.com' },
  { Origin: 'http://localhost:4000' },
  { Origin: `${DASHBOARD}.evil.example.com` },
  { Origin: `${DASHBOARD}:8443` },
  { Origin: 'null' },
];

/** What our own pages, the dashboard and programs say. */
const WELCOME: readonly Headers[] = [
  {},
  { 'Sec-Fetch-Site': 'same-origin' },
  { 'Sec-Fetch-Site': 'same-origin', Origin: OWN },
  { 'Sec-Fetch-Site': 'none' },
  { Origin: OWN },
  { Origin: DASHBOARD },
  { 'Sec-Fetch-Site': 'cross-site', Origin: DASHBOARD },
];

/** Pages of other sites cannot act with a visitor's cookie (reliability B9; contract §3). */
describe('requests that a foreign page makes', () => {
  let app: TestApp;
  let ann: Developer;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { DASHBOARD_ORIGINS: DASHBOARD } });
    ann = await verifiedDeveloper(app);
  });
  afterAll(() => app.stop());

  const unsafe = (): DeclaredRoute[] =>
    declaredRoutes(app.nest).filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
  const withCookie = (): DeclaredRoute[] =>
    unsafe().filter((route) => credentialAccessOf(route)?.by.includes('jwt') && !isLogin(route));
  const isLogin = ({ path }: DeclaredRoute): boolean => path.startsWith('/login/');
  const cookie = (): Headers => ({ Cookie: `dfdeveloper=${ann.token}; dfdeveloper_refresh=${ann.refreshToken}` });
  const bearer = (): Headers => ({ Authorization: `Bearer ${ann.token}` });
  const state = async (): Promise<unknown> =>
    app.sql(`SELECT (SELECT count(*) FROM audit_event) AS events, (SELECT count(*) FROM refresh_token) AS tokens,
      (SELECT md5(string_agg(d::text, '|' ORDER BY id)) FROM developer d) AS developers, (SELECT count(*) FROM organization) AS organizations`);

  /** @returns the routes that were let through, or refused for another reason. */
  const tried = async (
    routes: readonly DeclaredRoute[],
    variants: readonly Headers[],
    more: object,
    refused: boolean,
  ) => {
    const wrong: object[] = [];
    for (const route of routes) {
      const ids = Object.fromEntries(idsNamedBy(route).map((name) => [name, '00000000-0000-7000-8000-000000000000']));
      await Promise.all(
        variants.map(async (variant) => {
          const { headers = {}, ...rest } = more as { headers?: Headers };
          const answer = await requestRoute(app.url, route, { ids, ...rest, headers: { ...headers, ...variant } });
          const error = errorOf(answer);
          const isRefusal = answer.status === 403 && /page of another site/.test(error?.message ?? '');
          const code = isRefusal ? error?.error === 'permission_denied' : answer.status < 500;
          if (isRefusal !== refused || !code) wrong.push({ route: route.name, variant, status: answer.status, error });
        }),
      );
    }
    return wrong;
  };

  it.each([
    ['JSON', {}],
    ['a form', { contentType: 'application/x-www-form-urlencoded', body: 'name=x' }],
    ['text', { contentType: 'text/plain', body: UNACCEPTABLE }],
    ['a multipart form', { contentType: 'multipart/form-data; boundary=x', body: '--x--\r\n' }],
  ])('are refused on every unsafe route, with the cookie and %s', async (_, request) => {
    expect(withCookie().length).toBeGreaterThan(20);
    const before = await state();
    // red when: AuthenticationGuard does not check what came by cookie, or CrossSiteGuard knows one value only
    expect(await tried(withCookie(), FOREIGN, { ...request, headers: cookie() }, true)).toEqual([]);
    expect(await state()).toEqual(before);
  });

  it('are refused by every login route, whatever they send, before the body is looked at', async () => {
    const routes = unsafe().filter(isLogin);
    expect(routes.map(({ path }) => path).sort()).toEqual(['/login/email', '/login/logout', '/login/refresh']);
    const before = await state();
    const right = JSON.stringify({ email: ann.email, password: ann.password });
    const open = routes.filter(({ path }) => path !== '/login/logout');
    // red when: the login controller lacks the CrossSiteGuard
    for (const body of [right, UNACCEPTABLE, '{"this is no JSON']) {
      expect(await tried(open, FOREIGN, { body }, true)).toEqual([]);
      expect(await tried(routes, FOREIGN, { body, headers: cookie() }, true)).toEqual([]);
    }
    const form = new URLSearchParams({ email: ann.email, password: ann.password }).toString();
    expect(await tried(open, FOREIGN, { body: form, contentType: 'application/x-www-form-urlencoded' }, true)).toEqual(
      [],
    );
    expect(await state()).toEqual(before);
  });

  it('are no concern of those who carry a bearer token, with or without a cookie beside it', async () => {
    expect(await tried(withCookie(), FOREIGN, { headers: bearer() }, false)).toEqual([]);
    expect(await tried(withCookie(), FOREIGN, { headers: { ...cookie(), ...bearer() } }, false)).toEqual([]);
  });

  it('differ from those of our own pages, of the dashboard and of programs', async () => {
    expect(await tried(withCookie(), WELCOME, { headers: cookie() }, false)).toEqual([]);
    const open = unsafe().filter(({ path }) => ['/login/email', '/login/refresh'].includes(path));
    expect(await tried(open, WELCOME, {}, false)).toEqual([]);
  });

  it('may read: the cookie is SameSite, and without CORS no foreign page sees the answer', async () => {
    const me = (headers: Headers) =>
      rawRequest(`${app.url}/api/v1/developers/me`, { headers: { ...cookie(), ...headers } });
    const foreign = await me({ Origin: 'https://evil.example.com', 'Sec-Fetch-Site': 'cross-site' });
    expect(foreign.status).toBe(200);
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
    const dashboard = await me({ Origin: DASHBOARD, 'Sec-Fetch-Site': 'cross-site' });
    expect(dashboard.headers).toMatchObject({
      'access-control-allow-origin': DASHBOARD,
      'access-control-allow-credentials': 'true',
    });
    expect(String(dashboard.headers['vary'])).toContain('Origin');
    const preflight = (origin: string) =>
      rawRequest(`${app.url}/api/v1/organizations`, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      });
    expect((await preflight(DASHBOARD)).headers['access-control-allow-origin']).toBe(DASHBOARD);
    expect((await preflight('https://evil.example.com')).headers['access-control-allow-origin']).toBeUndefined();
  });
});
