import { type Developer, randomEmail } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { rawRequest, type RawResponse } from '../../support/load/raw-http';

/** A tenth of every limit, of which two are smaller than by default. */
const LIMITED = { RATE_LIMIT_FACTOR: '0.1', RATE_LIMIT_PAGE: '300', RATE_LIMIT_ADDRESS: '3000' };
const READS = 60;
const WRITES = 12;
const LOGINS_OF_ADDRESS = 3;
const REFRESHES = 30;
const PAGES = 30;
const ALL_OF_ADDRESS = 300;

interface Rejection {
  readonly error: string;
  readonly message: string;
  readonly details: { readonly request_id: string; readonly retry_after_seconds: number };
}

describe('rate limits', () => {
  let app: TestApp;
  let direct: TestApp;
  let ann: Developer;
  let bob: Developer;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { ...LIMITED, TRUST_PROXY: '127.0.0.1' } });
    direct = await TestApp.start({ environment: LIMITED, beside: app, worker: false });
    [ann, bob] = [await app.developer(), await app.developer()];
  });
  beforeEach(() => app.clock.advance({ minutes: 2 }));
  afterAll(async () => {
    await direct.stop();
    await app.stop();
  });

  const call = (
    path: string,
    { as, method = 'GET', headers = {} }: { as?: Developer; method?: string; headers?: Record<string, string> } = {},
  ): Promise<RawResponse> =>
    rawRequest(app.url + path, { method, headers: { ...headers, ...(as && { Authorization: `Bearer ${as.token}` }) } });
  const logIn = (email: string, headers: Record<string, string> = {}, { url } = app, path = '/api/v1/login/email') =>
    rawRequest(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ email, password: 'not the pass phrase' }),
    });
  const from = (address: string): Record<string, string> => ({ 'X-Forwarded-For': address });
  const statuses = (responses: readonly RawResponse[]): number[] => responses.map(({ status }) => status);
  const times = async (count: number, make: (n: number) => Promise<RawResponse>): Promise<RawResponse[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => make(n)));
  const ORGANIZATIONS = '/api/v1/organizations';

  const limitOf = ({ headers }: RawResponse): unknown[] => [headers['ratelimit-limit'], headers['ratelimit-remaining']];
  const expectRejected = (response: RawResponse): number => {
    expect(response.status).toBe(429);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    const { error, message, details } = JSON.parse(response.text) as Rejection;
    expect([error, typeof message, details.request_id]).toEqual([
      'rate_limit_exceeded',
      'string',
      response.headers['x-request-id'],
    ]);
    expect(Number.isInteger(details.retry_after_seconds)).toBe(true);
    expect(details.retry_after_seconds).toBeGreaterThanOrEqual(1);
    // red when: the seconds in the details differ from the header
    expect(response.headers['retry-after']).toBe(String(details.retry_after_seconds));
    expect(response.headers['ratelimit-reset']).toBe(response.headers['retry-after']);
    expect(response.headers['ratelimit-remaining']).toBe('0');
    return details.retry_after_seconds;
  };

  it('are reported in the headers of every response', async () => {
    for (const left of [READS - 1, READS - 2]) {
      const { status, headers } = await call(ORGANIZATIONS, { as: ann });
      expect(status).toBe(200);
      expect([headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([String(READS), String(left)]);
      expect(headers['ratelimit-reset']).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect(headers['retry-after']).toBeUndefined();
    }
    expect((await call('/install/x')).headers['ratelimit-limit']).toBe(String(PAGES));
  });

  it('reject further requests of a developer to a route until Retry-After has passed', async () => {
    const responses = await times(READS + 5, () => call(ORGANIZATIONS, { as: ann }));
    expect(statuses(responses).filter((status) => status === 200)).toHaveLength(READS);
    const rejected = responses.filter(({ status }) => status !== 200);
    expect(rejected).toHaveLength(5);
    rejected.forEach(expectRejected);
    // red when: the headers describe a limit other than the one that rejects
    for (const response of rejected) expect(limitOf(response)).toEqual([String(READS), '0']);
    expect((await call(ORGANIZATIONS, { as: bob })).status).toBe(200);
    expect((await call(ORGANIZATIONS, { as: ann, method: 'POST' })).status).toBe(400);
    expect((await call('/api/v1/developers/me', { as: ann })).status).toBe(200);
    // The limit follows the developer, not the address.
    const seconds = expectRejected(await call(ORGANIZATIONS, { as: ann, headers: from('198.51.100.7') }));
    await app.clock.advance({ seconds });
    const again = await call(ORGANIZATIONS, { as: ann });
    expect([again.status, again.headers['ratelimit-remaining']]).toEqual([200, String(READS - 1)]);
  });

  it('count rejected and failed requests, too', async () => {
    const responses = await times(WRITES + 2, () => call(ORGANIZATIONS, { as: ann, method: 'POST' }));
    expect(statuses(responses).sort()).toEqual([...Array.from({ length: WRITES }, () => 400), 429, 429]);
  });

  // red when: the key of RouteLimitGuard contains the method or the path
  it('are shared by HEAD, a trailing slash and other spellings of the path', async () => {
    await times(READS / 2, () => call(ORGANIZATIONS, { as: ann, method: 'HEAD' }));
    await times(READS / 2, () => call(`${ORGANIZATIONS}/`, { as: ann }));
    for (const path of [
      ORGANIZATIONS,
      `${ORGANIZATIONS}/`,
      `${ORGANIZATIONS}?a=1`,
      '/api/v1/Organizations',
      '/API/v1/organizations',
      '/api/v1/%6frganizations',
      '/api/v1//organizations',
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const { status } = await call(path, { as: ann, method });
        expect([method, path, status]).toEqual([
          method,
          path,
          /\/\/|API|Org|%6f/.test(path) && status === 404 ? 404 : 429,
        ]);
      }
    }
    expectRejected(await call(ORGANIZATIONS, { as: ann }));
  });

  // red when: the route of a refresh has the class of logins: a team behind one address would be locked out in the morning
  it('allow more refreshes than logins', async () => {
    const refresh = () =>
      rawRequest(`${app.url}/api/v1/login/refresh`, { method: 'POST', headers: from('198.51.100.3') });
    for (let n = 1; n <= 2 * LOGINS_OF_ADDRESS; n += 1)
      expect(limitOf(await refresh())).toEqual([String(REFRESHES), String(REFRESHES - n)]);
    expect((await logIn(randomEmail(), from('198.51.100.3'))).status).toBe(401);
  });

  it('limit logins per address, regardless of their credential', async () => {
    const headers = [{}, ...[ann, bob].map(({ token }) => ({ Authorization: `Bearer ${token}` })), {}];
    const responses: RawResponse[] = [];
    for (const some of headers) responses.push(await logIn(randomEmail(), { ...from('198.51.100.1'), ...some }));
    expect(statuses(responses)).toEqual([...Array.from({ length: LOGINS_OF_ADDRESS }, () => 401), 429]);
    expectRejected(await logIn(randomEmail(), from('198.51.100.1')));
    for (const path of ['/api/v1/login/email/', '/api/v1/LOGIN/email', '/api/v1/login/Email/']) {
      expect([404, 429]).toContain((await logIn(randomEmail(), from('198.51.100.1'), app, path)).status);
    }
    expect((await logIn(randomEmail(), from('198.51.100.2'))).status).toBe(401);
  });

  // red when: emailOf does not use emailKeyOf, so that other spellings of an e-mail have their own limit
  it('limit sign-ups per e-mail, regardless of address and spelling', async () => {
    const email = `jos\u00e9.${randomEmail()}`;
    const signUp = (address: string, as: string) =>
      rawRequest(`${app.url}/api/v1/developers`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...from(address) },
        body: JSON.stringify({ email: as, password: 'a good pass phrase' }),
      });
    expect((await signUp('203.0.113.1', email)).status).toBe(202);
    const variants = [email, email.toUpperCase(), `  ${email} `, email.replace('ann', 'Ann'), email.normalize('NFD')];
    for (const [n, variant] of variants.entries()) {
      const response = await signUp(`203.0.113.${n + 2}`, variant);
      expectRejected(response);
      expect(limitOf(response)).toEqual(['1', '0']);
    }
    expect((await signUp('203.0.113.9', randomEmail())).status).toBe(202);
  });

  // red when: clientNetwork returns an IPv6 address unchanged
  it('are shared by all addresses of a /64, and by both notations of an IPv4 address', async () => {
    const network = Array.from({ length: LOGINS_OF_ADDRESS + 2 }, (_, n) => `2001:db8:0:1:${n}::${n}`);
    const responses: RawResponse[] = [];
    for (const address of network) responses.push(await logIn(randomEmail(), from(address)));
    expect(statuses(responses)).toEqual([...Array.from({ length: LOGINS_OF_ADDRESS }, () => 401), 429, 429]);
    expect((await logIn(randomEmail(), from('2001:db8:0:2::1'))).status).toBe(401);
    for (let n = 0; n < LOGINS_OF_ADDRESS; n++) await logIn(randomEmail(), from('::ffff:198.51.100.3'));
    expectRejected(await logIn(randomEmail(), from('198.51.100.3')));
    expect((await logIn(randomEmail(), from('::ffff:198.51.100.4'))).status).toBe(401);
  });

  // red when: LoginService or DeveloperLinksService.request rejects a known e-mail after some attempts; PER_EMAIL has no
  // signup, or has mail
  it.each<[path: string, body: object, status: number, limit: number]>([
    // Beyond the limit of one network, a captcha is required.
    ['/api/v1/login/email', { password: 'not the pass phrase' }, 401, 5],
    ['/api/v1/developers', { password: 'a good pass phrase' }, 202, 3],
    // Always 204. Mails beyond the limit are not sent, which only the owner of the mailbox can notice.
    ['/api/v1/developers/resend-verification', {}, 204, Infinity],
    ['/api/v1/developers/reset_password_request', {}, 204, Infinity],
  ])(
    'give %s the same responses for a known, an unverified and an unknown e-mail',
    async (path, body, status, limit) => {
      const full = await TestApp.start({
        environment: { RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1' },
        beside: app,
        worker: false,
      });
      try {
        const unverified = await full.unverifiedDeveloper();
        await app.clock.advance({ hours: 1 });
        const statusesOf = async (email: string, network: number): Promise<string[]> => {
          const responses: RawResponse[] = [];
          for (let n = 0; n < 12; n++) {
            responses.push(
              await rawRequest(full.url + path, {
                method: 'POST',
                headers: { 'Content-Type': 'application/json', ...from(`10.0.${network}.${n}`) },
                body: JSON.stringify({ ...body, email }),
              }),
            );
          }
          return responses.map(({ status, headers }) => `${status} ${String(headers['ratelimit-remaining'])}`);
        };
        const unknown = await statusesOf(randomEmail(), 1);
        expect(unknown.map((response) => Number(response.slice(0, 3)))).toEqual(
          Array.from({ length: 12 }, (_, n) => (n < limit ? status : 429)),
        );
        expect(await statusesOf(ann.email, 2)).toEqual(unknown);
        expect(await statusesOf(unverified.email, 3)).toEqual(unknown);
      } finally {
        await full.stop();
      }
    },
  );

  it('ignore X-Forwarded-For unless it comes from a trusted proxy', async () => {
    const responses = await times(LOGINS_OF_ADDRESS + 1, (n) => logIn(randomEmail(), from(`192.0.2.${n}`), direct));
    expect(statuses(responses).sort()).toEqual([...Array.from({ length: LOGINS_OF_ADDRESS }, () => 401), 429]);
    // Entries that the client sent before the trusted proxy added its own are ignored, too.
    const forged = await times(LOGINS_OF_ADDRESS + 1, (n) => logIn(randomEmail(), from(`192.0.2.${n}, 198.51.100.9`)));
    expect(statuses(forged).sort()).toEqual([...Array.from({ length: LOGINS_OF_ADDRESS }, () => 401), 429]);
    // red when: the headers of an accepted request describe the counter that was checked last, not the one with the least
    // remaining
    const far = from('198.51.100.22');
    await times(ALL_OF_ADDRESS - 1, () => call('/install/x', { headers: far }));
    const last = [await logIn(randomEmail(), far), await logIn(randomEmail(), far)];
    expect(statuses(last)).toEqual([401, 429]);
    for (const response of last) expect(limitOf(response)).toEqual([String(ALL_OF_ADDRESS), '0']);
  });
});
