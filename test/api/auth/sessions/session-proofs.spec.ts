import { Developer } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { rawRequest, type RawResponse } from '../../../support/load/raw-http';

const PROOF = '__Host-dfdeveloper_session';
/** The header that browsers send with requests from the service's own pages. */
const BROWSER = { 'Sec-Fetch-Site': 'same-origin' };

/** The cookies of a session, by their names. */
type Jar = Readonly<Record<string, string>>;

const jarOf = ({ headers }: RawResponse): Record<string, string> =>
  Object.fromEntries(
    (headers['set-cookie'] ?? []).map((line) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!;
      return [name, value];
    }),
  );

/**
 * A sibling host can set cookies for the parent domain, but none whose name begins with `__Host-`. So a browser's session needs a proof
 * with this name (docs/decisions/0064-what-ends-with-a-session.md).
 */
describe('a session in cookies', () => {
  let app: TestApp;
  let ann: Developer;
  let eve: Developer;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { BASE_URL: 'https://agate.example.com' } });
    [ann, eve] = await Promise.all([app.developer(), app.developer()]);
  });
  afterAll(() => app.stop());

  const send = (
    method: string,
    path: string,
    cookies: Jar | string,
    headers: Readonly<Record<string, string>> = {},
    body?: object,
  ): Promise<RawResponse> => {
    const Cookie =
      typeof cookies === 'string'
        ? cookies
        : Object.entries(cookies)
            .map((pair) => pair.join('='))
            .join('; ');
    return rawRequest(`${app.url}/api/v1${path}`, {
      method,
      headers: { ...(Cookie && { Cookie }), ...(body && { 'Content-Type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  };
  const logsIn = async ({ email, password }: Developer): Promise<Record<string, string>> =>
    jarOf(await send('POST', '/login/email', {}, BROWSER, { email, password, cookies_only: true }));
  const emailOf = async (cookies: Jar | string, headers: Readonly<Record<string, string>>): Promise<unknown> => {
    const { status, text } = await send('GET', '/developers/me', cookies, headers);
    return status === 200 ? (JSON.parse(text) as { email: string }).email : status;
  };
  const stateOf = async (cookies: Jar | string, headers: Readonly<Record<string, string>>): Promise<string> =>
    (JSON.parse((await send('GET', '/login/session', cookies, headers)).text) as { state: string }).state;
  const refresh = (cookies: Jar | string, headers: Readonly<Record<string, string>>) =>
    send('POST', '/login/refresh', cookies, headers, { cookies_only: true });

  it('has a proof that only its host can set, at login and refresh, and that a logout removes', async () => {
    const login = await send('POST', '/login/email', {}, BROWSER, { email: ann.email, password: ann.password });
    const line = (response: RawResponse) => response.headers['set-cookie']?.find((each) => each.startsWith(PROOF));
    expect(line(login)).toMatch(
      /^__Host-dfdeveloper_session=[\w-]{43}; Max-Age=2592000; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(line(login)).not.toMatch(/Domain/i);
    const jar = jarOf(login);
    const refreshed = await refresh(jar, BROWSER);
    expect(refreshed.status).toBe(204);
    expect(jarOf(refreshed)[PROOF]).toBe(jar[PROOF]);
    const out = await send('POST', '/login/logout', jarOf(refreshed), BROWSER, { only_this_session: true });
    expect(out.status).toBe(204);
    expect(line(out)).toMatch(/^__Host-dfdeveloper_session=; Path=\/; Expires=Thu, 01 Jan 1970.*Secure/);
    expect((await logsIn(ann))[PROOF]).not.toBe(jar[PROOF]);
  });

  // red when: the guard, the refresh or the state of the session ignores the proof
  it.each([
    ['its own proof', (own: Jar) => own[PROOF], true, true],
    ['no proof', () => undefined, false, true],
    ["the proof of another person's session", (_own: Jar, others: Jar) => others[PROOF], false, false],
    [
      'the proof of another session of the person',
      (_own: Jar, _others: Jar, second: Jar) => second[PROOF],
      false,
      false,
    ],
    ['an empty proof', () => '', false, false],
    ['a made-up proof', () => 'A'.repeat(43), false, false],
  ])('with %s', async (_proof, proofOf, inBrowser, elsewhere) => {
    const [own, others, second] = await Promise.all([logsIn(ann), logsIn(eve), logsIn(ann)]);
    const { [PROOF]: _, ...cookies } = own;
    const proof = proofOf(own, others, second);
    const jar: Jar = { ...cookies, ...(proof !== undefined && { [PROOF]: proof }) };
    const { dfdeveloper: _access, ...withoutAccess } = jar;
    for (const [headers, accepted] of [
      [BROWSER, inBrowser],
      [{ 'Sec-Fetch-Site': 'none' }, inBrowser],
      [{ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }, inBrowser],
      [{ ...BROWSER, 'Sec-Fetch-Dest': 'empty', Accept: 'text/event-stream' }, inBrowser],
      [{}, elsewhere],
    ] as const) {
      expect([headers, await emailOf(jar, headers)]).toEqual([headers, accepted ? ann.email : 401]);
      expect([headers, await stateOf(jar, headers)]).toEqual([headers, accepted ? 'active' : 'none']);
      expect([headers, await stateOf(withoutAccess, headers)]).toEqual([headers, accepted ? 'expired' : 'none']);
    }
    const out = await send('POST', '/login/logout', withoutAccess, BROWSER, { only_this_session: true });
    expect(out.status).toBe(inBrowser ? 204 : 401);
    // A refused refresh leaves the token unused: its owner can still exchange it.
    if (!inBrowser) {
      expect((await refresh(jar, BROWSER)).status).toBe(401);
      expect((await refresh(jar, {})).status).toBe(elsewhere ? 204 : 401);
      if (!elsewhere) expect((await refresh(own, BROWSER)).status).toBe(204);
    }
  });

  it('is the one of the Authorization header or of the body, if there is one, in every browser', async () => {
    const headers = { ...BROWSER, Authorization: `Bearer ${ann.token}` };
    expect(await emailOf({ dfdeveloper: eve.token }, headers)).toBe(ann.email);
    const { refreshToken } = await Developer.logIn(app.url, ann.email, ann.password);
    const body = { refresh_token: refreshToken };
    expect((await send('POST', '/login/refresh', {}, BROWSER, body)).status).toBe(200);
  });

  // red when: the first of several values counts
  it.each(['dfdeveloper', 'dfdeveloper_refresh', PROOF])(
    'is refused when the cookie %s is sent twice',
    async (name) => {
      const [own, others] = await Promise.all([logsIn(ann), logsIn(eve)]);
      const pairs = Object.entries(own).map((pair) => pair.join('='));
      for (const planted of [`${name}=${others[name]!}`, `${name}=`, ` ${name}\t=x`]) {
        for (const cookies of [
          [planted, ...pairs],
          [...pairs, planted],
        ].map((all) => all.join('; '))) {
          for (const headers of [BROWSER, {}]) {
            const isRefresh = name === 'dfdeveloper_refresh';
            // The refresh cookie counts for a refresh only.
            expect(await emailOf(cookies, headers)).toBe(isRefresh ? ann.email : 401);
            if (name !== 'dfdeveloper') expect((await refresh(cookies, headers)).status).toBe(401);
          }
        }
      }
      const twice = await send('GET', '/developers/me', `dfdeveloper=${own['dfdeveloper']!}; dfdeveloper=x`, BROWSER);
      expect(JSON.parse(twice.text)).toMatchObject({ error: 'unauthorized', details: { reason: 'duplicate_cookie' } });
      const again = await send('POST', '/login/refresh', 'dfdeveloper_refresh=x; dfdeveloper_refresh=y', {}, {});
      expect(JSON.parse(again.text)).toMatchObject({ error: 'unauthorized', details: { reason: 'duplicate_cookie' } });
    },
  );

  it('is replaced by a login, also when the browser sends cookies of another session', async () => {
    const planted = `dfdeveloper=${eve.token}; dfdeveloper_refresh=${eve.refreshToken}`;
    const { email, password } = ann;
    const login = await send('POST', '/login/email', planted, BROWSER, { email, password, cookies_only: true });
    expect(await emailOf(jarOf(login), BROWSER)).toBe(ann.email);
  });
});

describe('a session in cookies, with a service at an http address', () => {
  it('has no proof and needs none, because browsers would refuse it', async () => {
    const app = await TestApp.start();
    const { email, password } = await app.developer();
    const login = await app.anonymous.post('/api/v1/login/email').set(BROWSER).send({ email, password }).expect(200);
    expect(String(login.headers['set-cookie'])).not.toContain('__Host-');
    const cookie = `dfdeveloper=${(login.body as { token: string }).token}`;
    await app.anonymous.get('/api/v1/developers/me').set(BROWSER).set('Cookie', cookie).expect(200);
    await app.anonymous.get('/api/v1/developers/me').set(BROWSER).set('Cookie', `${cookie}; ${cookie}`).expect(401);
    await app.stop();
  });
});
