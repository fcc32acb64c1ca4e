import { credentialAccessOf, type DeclaredRoute, declaredRoutes } from '#app/routes';
import { type Developer } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { errorOf, idsNamedBy, requestRoute, UNACCEPTABLE } from '../../support/checks/routes/route-requests';
import { rawRequest } from '../../support/load/raw-http';

const DASHBOARD = 'https://dashboard.example.com';
const OWN = 'http://localhost:3000';

type Headers = Readonly<Record<string, string>>;

/** The headers that a browser sends with a request from a page of another site. */
const CROSS_SITE: readonly Headers[] = [
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.com' },
  { 'Sec-Fetch-Site': 'same-site', Origin: 'http://localhost:4000' },
  { 'Sec-Fetch-Site': 'none', Origin: 'https://evil.example.com' },
  { Origin: 'https://evil.example.com' },
  { Origin: 'http://localhost:4000' },
  { Origin: `${DASHBOARD}.evil.example.com` },
  { Origin: `${DASHBOARD}:8443` },
  { Origin: 'null' },
];

/** The headers of requests from the service's own pages, from the dashboard, and from programs. */
const ALLOWED: readonly Headers[] = [
  {},
  { 'Sec-Fetch-Site': 'same-origin' },
  { 'Sec-Fetch-Site': 'same-origin', Origin: OWN },
  { 'Sec-Fetch-Site': 'none' },
  { Origin: OWN },
  { Origin: DASHBOARD },
  { 'Sec-Fetch-Site': 'cross-site', Origin: DASHBOARD },
];

/** Pages of other sites must not be able to use a visitor's cookie. */
describe('requests from a page of another site', () => {
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

  /** Sends every variant to every route. @returns the requests whose rejection differs from `rejected`. */
  const mismatches = async (
    routes: readonly DeclaredRoute[],
    variants: readonly Headers[],
    more: object,
    rejected: boolean,
  ) => {
    const wrong: object[] = [];
    for (const route of routes) {
      const ids = Object.fromEntries(idsNamedBy(route).map((name) => [name, '00000000-0000-7000-8000-000000000000']));
      await Promise.all(
        variants.map(async (variant) => {
          const { headers = {}, ...rest } = more as { headers?: Headers };
          const response = await requestRoute(app.url, route, { ids, ...rest, headers: { ...headers, ...variant } });
          const error = errorOf(response);
          const isRejection = response.status === 403 && /page of another site/.test(error?.message ?? '');
          const code = isRejection ? error?.error === 'permission_denied' : response.status < 500;
          if (isRejection !== rejected || !code)
            wrong.push({ route: route.name, variant, status: response.status, error });
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
  ])('are rejected on every unsafe route, with the cookie and %s as the body', async (_, request) => {
    expect(withCookie().length).toBeGreaterThan(20);
    const before = await state();
    // red when: AuthenticationGuard does not check requests with a cookie, or CrossSiteGuard rejects only one value
    expect(await mismatches(withCookie(), CROSS_SITE, { ...request, headers: cookie() }, true)).toEqual([]);
    expect(await state()).toEqual(before);
  });

  it('are rejected by every login route before the body is read', async () => {
    const routes = unsafe().filter(isLogin);
    const open = routes.filter((route) => credentialAccessOf(route) === null);
    expect(open.map(({ path }) => path).sort()).toEqual([
      '/login/device',
      '/login/device/token',
      '/login/email',
      '/login/invitation',
      '/login/refresh',
    ]);
    const closed = routes.filter((route) => !open.includes(route));
    expect(closed.map(({ path }) => path).sort()).toEqual([
      '/login/device/confirm',
      '/login/device/deny',
      '/login/logout',
    ]);
    const before = await state();
    const credentials = JSON.stringify({ email: ann.email, password: ann.password });
    // red when: the login controller lacks the CrossSiteGuard
    for (const body of [credentials, UNACCEPTABLE, '{"this is no JSON']) {
      expect(await mismatches(open, CROSS_SITE, { body }, true)).toEqual([]);
      expect(await mismatches(routes, CROSS_SITE, { body, headers: cookie() }, true)).toEqual([]);
    }
    const form = new URLSearchParams({ email: ann.email, password: ann.password }).toString();
    expect(
      await mismatches(open, CROSS_SITE, { body: form, contentType: 'application/x-www-form-urlencoded' }, true),
    ).toEqual([]);
    expect(await state()).toEqual(before);
  });

  it('are accepted with a bearer token, with or without the cookie', async () => {
    expect(await mismatches(withCookie(), CROSS_SITE, { headers: bearer() }, false)).toEqual([]);
    expect(await mismatches(withCookie(), CROSS_SITE, { headers: { ...cookie(), ...bearer() } }, false)).toEqual([]);
  });

  it('are rejected, but not those from the own pages, from the dashboard and from programs', async () => {
    expect(await mismatches(withCookie(), ALLOWED, { headers: cookie() }, false)).toEqual([]);
    const open = unsafe().filter(({ path }) => ['/login/email', '/login/refresh'].includes(path));
    expect(await mismatches(open, ALLOWED, {}, false)).toEqual([]);
  });

  it('may use GET, but only the dashboard gets CORS headers to read the response', async () => {
    const me = (headers: Headers) =>
      rawRequest(`${app.url}/api/v1/developers/me`, { headers: { ...cookie(), ...headers } });
    const crossSite = await me({ Origin: 'https://evil.example.com', 'Sec-Fetch-Site': 'cross-site' });
    expect(crossSite.status).toBe(200);
    expect(crossSite.headers['access-control-allow-origin']).toBeUndefined();
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
