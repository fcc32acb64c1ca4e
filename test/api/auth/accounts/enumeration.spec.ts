import { type Developer, randomEmail } from '../../../support/actors/actors';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { comparable } from '../../../support/checks/routes/route-requests';
import { rawRequest, type RawResponse } from '../../../support/load/raw-http';

/** Callers must not learn which addresses have an account. The benchmarks in bench/ measure the timing. */
describe('whether an e-mail address has an account', () => {
  let app: TestApp;
  let verified: Developer;
  let unverified: Developer;
  beforeAll(async () => {
    app = await TestApp.start();
    [verified, unverified] = await Promise.all([verifiedDeveloper(app), app.unverifiedDeveloper()]);
  });
  afterAll(() => app.stop());

  const post = (path: string, body: object, type = 'application/json'): Promise<RawResponse> =>
    rawRequest(`${app.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: type === 'application/json' ? JSON.stringify(body) : new URLSearchParams(Object.entries(body)).toString(),
    });

  // red when: login reports an unverified account, signUp throws already_exists, or a mail route returns not_found
  it.each([
    ['/login/email', { password: 'not their pass phrase' }, 401],
    ['/login/email', { password: 'x' }, 401],
    ['/developers', { password: 'a good pass phrase', name: 'Ann' }, 202],
    ['/developers/resend-verification', {}, 204],
    ['/developers/reset_password_request', {}, 204],
  ])('is not revealed by %s with %j', async (path, body, status) => {
    const emails = [randomEmail(), verified.email, unverified.email, verified.email.toUpperCase()];
    const responses = await Promise.all(emails.map((email) => post(path, { ...body, email })));
    expect(responses[0]?.status).toBe(status);
    for (const response of responses) expect(comparable(response)).toEqual(comparable(responses[0]!));
  });

  it.each(['/developers/resend-verification', '/developers/reset_password_request'])(
    'is not revealed by the form of %s',
    async (path) => {
      const emails = [randomEmail(), verified.email, unverified.email];
      const responses = await Promise.all(
        emails.map((email) => post(path, { email }, 'application/x-www-form-urlencoded')),
      );
      expect(responses[0]?.headers['content-type']).toMatch(/^text\/html/);
      for (const response of responses) expect(comparable(response)).toEqual(comparable(responses[0]!));
    },
  );

  it('is not revealed by invalid links', async () => {
    const [token, stranger] = ['A'.repeat(43), '00000000-0000-7000-8000-000000000000'];
    for (const action of ['verify_email', 'change_email']) {
      const responses = await Promise.all(
        [stranger, verified.id, unverified.id].map((id) => post(`/developers/${id}/${action}`, { token })),
      );
      expect(responses[0]?.status).toBe(400);
      for (const response of responses) expect(comparable(response)).toEqual(comparable(responses[0]!));
    }
  });

  it('is not revealed to a developer who requests it as a new address', async () => {
    const wants = (newEmail: string) =>
      verified.post('/developers/me/email', { new_email: newEmail, password: verified.password }).expect(204);
    expect((await wants(unverified.email)).text).toBe((await wants(randomEmail())).text);
  });
});

describe('the audited address of a client', () => {
  const CLAIMS = [
    '203.0.113.7',
    '1.2.3.4, 203.0.113.7',
    '2001:db8::7',
    '::ffff:203.0.113.7',
    '203.0.113.7:4711',
    '<script>alert(1)</script>',
    `' OR 1=1 --`,
    'unknown',
    '999.1.1.1',
    'fe80::1%eth0',
    ', ,',
    'x'.repeat(4_000),
  ];
  const audited = async (app: TestApp, claim: string): Promise<string | null> => {
    const { status, headers } = await rawRequest(`${app.url}/api/v1/login/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': claim, 'X-Real-IP': claim },
      body: JSON.stringify({ email: randomEmail(), password: 'x' }),
    });
    expect(status).toBe(401);
    const rows = await app.sql<{ ip: string | null }>(
      'SELECT host(source_ip) AS ip FROM audit_event WHERE request_id = $1',
      [headers['x-request-id']],
    );
    return rows[0]!.ip;
  };

  it('is the peer of the connection, or the address that a trusted proxy reports; the client cannot choose it', async () => {
    const app = await TestApp.start();
    const behind = await TestApp.start({ beside: app, worker: false, environment: { TRUST_PROXY: '127.0.0.1' } });
    try {
      // red when: `trust proxy` is true, or the context uses request.ip unchecked
      for (const claim of CLAIMS) expect([claim, await audited(app, claim)]).toEqual([claim, '127.0.0.1']);
      const seen: Record<string, string | null> = {};
      for (const claim of CLAIMS) seen[claim] = await audited(behind, claim);
      const {
        '203.0.113.7': plain,
        '1.2.3.4, 203.0.113.7': last,
        '2001:db8::7': six,
        '::ffff:203.0.113.7': mapped,
        '203.0.113.7:4711': withPort,
        ...rest
      } = seen;
      expect({ plain, last, six, mapped, withPort }).toEqual({
        plain: '203.0.113.7',
        last: '203.0.113.7',
        six: '2001:db8::7',
        mapped: '203.0.113.7',
        withPort: '203.0.113.7',
      });
      for (const address of Object.values(rest)) expect([null, '127.0.0.1', 'fe80::1']).toContain(address);
    } finally {
      await behind.stop();
      await app.stop();
    }
  });
});
