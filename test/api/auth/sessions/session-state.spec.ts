import { type Developer } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { rawRequest, type RawResponse } from '../../../support/load/raw-http';

interface State {
  readonly state: string;
  readonly developer: object | null;
  readonly organizations: readonly { id: string }[];
}

describe('the state of a session', () => {
  let app: TestApp;
  let ann: Developer;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { DASHBOARD_ORIGINS: 'https://dashboard.example.com' } });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    ann = await app.developer();
  });

  const ask = (cookies: Readonly<Record<string, string>>, headers = {}): Promise<RawResponse> => {
    const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
    return rawRequest(`${app.url}/api/v1/login/session`, {
      headers: { ...(cookie.length > 0 && { Cookie: cookie.join('; ') }), ...headers },
    });
  };
  const stateOf = async (cookies: Readonly<Record<string, string>>): Promise<State> => {
    const response = await ask(cookies);
    expect(response.status).toBe(200);
    return JSON.parse(response.text) as State;
  };
  const cookiesOf = ({ token, refreshToken }: Developer) => ({
    dfdeveloper: token,
    dfdeveloper_refresh: refreshToken,
  });
  const NONE = { state: 'none', developer: null, organizations: [] };
  const EXPIRED = { ...NONE, state: 'expired' };

  it('is "active" while the access cookie is valid, with the account and its organizations', async () => {
    const bob = await app.developer();
    await bob.createsOrganization();
    expect(await stateOf(cookiesOf(ann))).toMatchObject({ state: 'active', organizations: [] });
    const { id } = await ann.createsOrganization('Acme');
    await ann.changesPlan({ id }, 'business');
    const active = await stateOf({ dfdeveloper: ann.token });
    expect(active.developer).toEqual((await ann.get('/developers/me').expect(200)).body);
    expect(active.organizations).toEqual((await ann.get('/organizations').expect(200)).body);
    expect(active.organizations).toMatchObject([{ id, name: 'Acme', roles: ['ADMIN'], plan: 'business' }]);
  });

  // red when: the refresh token is used up, or the expiry of the access token is not checked
  it('is "expired" while a refresh would succeed, and then "none"', async () => {
    const cookies = cookiesOf(ann);
    expect(await stateOf({ ...cookies, dfdeveloper: 'nonsense' })).toEqual(EXPIRED);
    await app.clock.advance({ minutes: 11 });
    for (let times = 0; times < 2; times += 1) expect(await stateOf(cookies)).toEqual(EXPIRED);
    expect(await stateOf({ dfdeveloper: ann.token })).toEqual(NONE);
    const refresh = { refresh_token: ann.refreshToken };
    await app.anonymous.post('/api/v1/login/refresh').send(refresh).expect(200);
    expect(await stateOf(cookies)).toEqual(NONE);
  });

  it('is "none" without cookies, after a logout, and for a suspended account', async () => {
    expect(await stateOf({})).toEqual(NONE);
    const bob = await app.developer();
    await bob.post('/login/logout').expect(204);
    expect(await stateOf(cookiesOf(bob))).toEqual(NONE);
    await app.sql('UPDATE developer SET suspended_at = app_now() WHERE id = $1', [ann.id]);
    expect(await stateOf(cookiesOf(ann))).toEqual(NONE);
  });

  // red when: the cookie is resolved like a bearer credential
  it('is "none" for other credentials: tokens of programs, and a bearer header', async () => {
    const organization = await ann.createsOrganization();
    const pat = { name: 'script', scopes: ['organization:read'] };
    const { body } = await ann.post(`/pats?organization_id=${organization.id}`, pat).expect(201);
    const { token } = body as { token: string };
    expect(await stateOf({ dfdeveloper: token, dfdeveloper_refresh: token })).toEqual(NONE);
    expect(await stateOf({ dfdeveloper: ann.refreshToken, dfdeveloper_refresh: ann.token })).toEqual(NONE);
    const bearer = await ask({}, { Authorization: `Bearer ${ann.token}` });
    expect(JSON.parse(bearer.text)).toEqual(NONE);
  });

  it('is readable for the dashboard only, and never cached', async () => {
    const foreign = await ask(cookiesOf(ann), { Origin: 'https://evil.example.com', 'Sec-Fetch-Site': 'cross-site' });
    expect(foreign.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
    const own = await ask(cookiesOf(ann), { Origin: 'https://dashboard.example.com', 'Sec-Fetch-Site': 'cross-site' });
    expect(own.headers['access-control-allow-origin']).toBe('https://dashboard.example.com');
  });
});
