import { Developer, randomEmail, scope } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';

/** Parses `Set-Cookie` lines into the value and attributes of each cookie. Names of attributes are in lower case. */
function cookiesOf(headers: Record<string, unknown>): Record<string, Record<string, string>> {
  const lines = (headers['set-cookie'] ?? []) as string[];
  return Object.fromEntries(
    lines.map((line) => {
      const [first = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = first.split('=');
      const pairs = attributes.map((each) => each.split('=')).map(([key = '', text = '']) => [key.toLowerCase(), text]);
      return [name, { ...(Object.fromEntries(pairs) as Record<string, string>), value }];
    }),
  );
}

describe.each([
  ['https', 'https://agate.example.com', true],
  ['http on localhost', 'http://localhost:3000', false],
])('login and session over %s', (_name, baseUrl, secure) => {
  let app: TestApp;
  let ann: Developer;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { BASE_URL: baseUrl } });
    ann = await app.developer();
  });
  afterAll(() => app.stop());

  const login = (body: object) => app.anonymous.post('/api/v1/login/email').send(body);
  const attributes = (path: string, maxAge: string) => ({
    httponly: '',
    samesite: 'Lax',
    path,
    'max-age': maxAge,
    ...(secure && { secure: '' }),
  });

  // red when: an attribute of the cookies changes
  it('set both cookies at login and refresh, and clear both at logout', async () => {
    const { body, headers } = await login({ email: ann.email, password: ann.password }).expect(200);
    const pair = body as { token: string; refresh_token: string };
    expect(Object.keys(pair).sort()).toEqual(['refresh_token', 'token']);
    const set = cookiesOf(headers);
    expect(set['dfdeveloper']).toMatchObject({ ...attributes('/', '610'), value: pair.token });
    expect(set['dfdeveloper_refresh']).toMatchObject({
      ...attributes('/api/v1/login', '2592000'),
      value: pair.refresh_token,
    });
    expect('secure' in set['dfdeveloper']!).toBe(secure);

    const refreshed = await app.anonymous
      .post('/api/v1/login/refresh')
      .set('Cookie', `dfdeveloper_refresh=${pair.refresh_token}`)
      .expect(200);
    const next = refreshed.body as { token: string; refresh_token: string };
    expect(next.refresh_token).not.toBe(pair.refresh_token);
    const again = cookiesOf(refreshed.headers);
    expect(again['dfdeveloper']).toMatchObject(attributes('/', '610'));
    expect(again['dfdeveloper_refresh']).toMatchObject({
      ...attributes('/api/v1/login', '2592000'),
      value: next.refresh_token,
    });

    const out = await app.anonymous
      .post('/api/v1/login/logout')
      .set('Authorization', `Bearer ${next.token}`)
      .expect(204);
    expect(out.text).toBe('');
    const cleared = cookiesOf(out.headers);
    expect(cleared['dfdeveloper']).toMatchObject({ value: '', path: '/' });
    expect(cleared['dfdeveloper_refresh']).toMatchObject({ value: '', path: '/api/v1/login' });
    for (const cookie of Object.values(cleared)) expect(Date.parse(cookie['expires']!)).toBe(0);
    await app.ci(next.token).get('/developers/me').expect(401);
    await app.anonymous.post('/api/v1/login/refresh').send({ refresh_token: next.refresh_token }).expect(401);
  });

  // red when: credentialOf reads the cookie first
  it('accept the cookie, unless there is an Authorization header', async () => {
    const bob = await app.developer();
    const { token } = await Developer.logIn(app.url, ann.email, ann.password);
    const me = () => app.anonymous.get('/api/v1/developers/me').set('Cookie', `dfdeveloper=${token}`);
    expect(((await me().expect(200)).body as { email: string }).email).toBe(ann.email);
    const both = await me().set('Authorization', `Bearer ${bob.token}`).expect(200);
    expect((both.body as { email: string }).email).toBe(bob.email);
    await me().set('Authorization', 'Bearer nonsense').expect(401);
    await me().set('Authorization', 'Basic YTpi').expect(401);
  });

  // red when: the AuthenticationGuard resolves tokens of the cookie
  it('accept neither a personal nor a project access token in the cookie', async () => {
    const bob = await app.developer();
    const organization = await bob.createsOrganization();
    const project = await bob.createsProject(organization);
    const pat = { name: 'script', scopes: ['organization:read', 'builds:read'] };
    const created = [
      await bob.post(`/pats?organization_id=${organization.id}`, pat).expect(201),
      await bob.post(`/project-access-tokens?${scope(project)}`, { name: 'CI', role: 'UPLOAD_BUILD' }).expect(201),
    ];
    for (const { body } of created) {
      const { token } = body as { token: string };
      const builds = () => app.anonymous.get(`/api/v1/builds?${scope(project)}`);
      await builds().set('Authorization', `Bearer ${token}`).expect(200);
      const refused = await builds().set('Cookie', `dfdeveloper=${token}`).expect(401);
      expect(refused.body).toMatchObject({ error: 'unauthorized' });
    }
  });

  it('accept a refresh token in JSON, once', async () => {
    const { refreshToken } = await Developer.logIn(app.url, ann.email, ann.password);
    const refresh = () => app.anonymous.post('/api/v1/login/refresh').send({ refresh_token: refreshToken });
    await refresh().expect(200);
    expect((await refresh().expect(401)).body).toMatchObject({ error: 'unauthorized' });
    await app.anonymous.post('/api/v1/login/refresh').send({}).expect(401);
  });

  it.each([
    ['an unknown address', () => ({ email: randomEmail(), password: 'another long password' })],
    ['a wrong password', () => ({ email: ann.email, password: 'another long password' })],
  ])('return the same 401 for %s', async (_case, body) => {
    const response = await login(body()).expect(401);
    expect(response.body).toMatchObject({
      error: 'unauthorized',
      message: 'The e-mail address or the password is wrong.',
    });
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(response.headers['www-authenticate']).toBeDefined();
  });

  // red when: a login route has no CrossSiteGuard
  it.each([
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ Origin: 'https://evil.example' }, 403],
    [{ 'Sec-Fetch-Site': 'same-origin' }, 200],
    [{ Origin: baseUrl }, 200],
  ])('for a login with the headers %j, return %i', async (headers, status) => {
    await login({ email: ann.email, password: ann.password }).set(headers).expect(status);
  });
});
