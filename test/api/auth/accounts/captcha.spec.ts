import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { loadConfig } from '#infra/config/load-config';
import { Jobs } from '#infra/jobs/jobs';
import { randomEmail } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';

const ORIGINS = ['https://dashboard.example', 'https://other.example'];
const PASSWORD = 'a long enough pass phrase';

/** A valid sign-up that lacks only the captcha. */
const signUp = () => ({ email: randomEmail(), password: PASSWORD });

/** The routes that send a mail to an account. They accept the field `captcha` and ignore it. */
const MAILING = ['/api/v1/developers/resend-verification', '/api/v1/developers/reset_password_request'];

async function challengeOf(app: TestApp): Promise<Challenge> {
  const { body } = await app.anonymous.get('/api/v1/captcha').set('Accept', 'application/json').expect(200);
  return body as Challenge;
}

/** Solves a challenge like the widget of a dashboard. */
async function solved(app: TestApp): Promise<string> {
  const challenge = await challengeOf(app);
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

describe('the service without a captcha', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
  });
  afterAll(() => app.stop());

  it('says that no captcha is required', async () => {
    const { text } = await app.anonymous.get('/api/v1/captcha').expect(200);
    expect(text).toContain('does not require a captcha');
    await app.anonymous.get('/api/v1/captcha').set('Accept', 'application/json').expect(404);
  });

  it('accepts a sign-up with and without the field', async () => {
    await app.anonymous.post('/api/v1/developers').send(signUp()).expect(202);
    await app.anonymous
      .post('/api/v1/developers')
      .send({ ...signUp(), captcha: 'any text' })
      .expect(202);
  });

  it('forbids framing the captcha page', async () => {
    const { headers } = await app.anonymous.get('/api/v1/captcha').expect(200);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
  });
});

describe('the service with ALTCHA', () => {
  let app: TestApp;
  let second: TestApp;
  const environment = { CAPTCHA_PROVIDER: 'altcha', DASHBOARD_ORIGINS: ORIGINS.join(',') };
  beforeAll(async () => {
    app = await TestApp.start({ worker: false, environment });
    second = await TestApp.start({ worker: false, environment, beside: app });
  });
  afterAll(async () => {
    await second.stop();
    await app.stop();
  });

  it('shows a page that only the dashboards may frame and that runs only the script of the service', async () => {
    const { headers, text } = await app.anonymous.get('/api/v1/captcha').set('Accept', 'text/html').expect(200);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(`frame-ancestors ${ORIGINS.join(' ')}`);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toMatch(/unsafe|blob:|\*/);
    expect(headers).not.toHaveProperty('x-frame-options');
    expect(headers['cache-control']).toBe('no-store');
    const [, script = ''] = /<script src="([^"]+)"/.exec(text) ?? [];
    const { headers: served } = await app.anonymous.get(script).expect(200);
    expect(served['content-type']).toMatch(/^text\/javascript/);
  });

  it('requires a captcha for a sign-up', async () => {
    const path = '/api/v1/developers';
    const missing = await app.anonymous.post(path).send(signUp()).expect(400);
    expect(missing.body).toMatchObject({ error: 'invalid_input', details: { reason: 'captcha_required' } });
    for (const captcha of ['', 7, null, { a: 1 }]) {
      const rejected = await app.anonymous
        .post(path)
        .send({ ...signUp(), captcha })
        .expect(400);
      expect(rejected.body).toMatchObject({ details: { reason: 'captcha_required' } });
    }
    const wrong = await app.anonymous
      .post(path)
      .send({ ...signUp(), captcha: 'd3Jvbmc=' })
      .expect(400);
    expect(wrong.body).toMatchObject({ error: 'invalid_input', details: { reason: 'captcha_invalid' } });
    await app.anonymous
      .post(path)
      .send({ ...signUp(), captcha: await solved(app) })
      .expect(202);
  });

  // red when: the route has the guard of the captcha
  it.each(MAILING)('requires no captcha for POST %s', async (path) => {
    for (const more of [{}, { captcha: '' }, { captcha: 'd3Jvbmc=' }, { captcha: await solved(app) }]) {
      const { body } = await app.anonymous
        .post(path)
        .send({ email: randomEmail(), ...more })
        .expect(204);
      expect(body).toEqual({});
    }
  });

  it('rejects an unreadable body before it requires a captcha', async () => {
    const { body } = await app.anonymous
      .post('/api/v1/developers')
      .set('Content-Type', 'application/json')
      .send('{')
      .expect(400);
    expect(body).toMatchObject({ error: 'validation_error' });
  });

  it('accepts a solution once when twenty concurrent requests send it to two processes', async () => {
    const captcha = await solved(app);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? app : second).anonymous.post('/api/v1/developers').send({ ...signUp(), captcha }),
      ),
    );
    // red when: the repository selects before it inserts, or the guard does not mark the solution as used
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([202, ...Array<number>(19).fill(400)]);
    const rejected = responses.filter(({ status }) => status === 400);
    for (const { body } of rejected) expect(body).toMatchObject({ details: { reason: 'captcha_invalid' } });
  });

  it('requires no captcha for the forms of its own pages', async () => {
    const page = await app.anonymous.get('/api/v1/developers/reset_password').set('Accept', 'text/html').expect(200);
    const invalid = await app.anonymous
      .get('/api/v1/developers/019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10/verify_email?token=none')
      .expect(400);
    for (const { text } of [page, invalid]) {
      expect(text).toContain('<form');
      expect(text).not.toContain('captcha');
    }
    for (const path of MAILING) {
      const { status, text } = await app.anonymous
        .post(path)
        .type('form')
        .set('Accept', 'text/html')
        .send({ email: randomEmail() });
      expect([status, text]).toEqual([200, expect.stringContaining('Check your inbox')]);
    }
  });

  it('deletes used solutions only after they expired', async () => {
    const captcha = await solved(app);
    const body = () => ({ ...signUp(), captcha });
    await app.anonymous.post('/api/v1/developers').send(body()).expect(202);
    const prune = app.nest.get(Jobs).handlers.get('captcha.prune-solutions');
    const ctx = {
      requestId: 'test',
      sourceIp: null,
      identity: { kind: 'system', name: 'test' } as const,
      clock: app.clock,
    };
    const rowCount = async () =>
      (await app.sql<{ n: number }>('SELECT count(*)::int AS n FROM captcha_solution'))[0]?.n;
    const before = await rowCount();
    await prune?.(ctx, {}, { id: '1', attempt: 1, signal: new AbortController().signal });
    expect(await rowCount()).toBe(before);
    await app.clock.advance({ minutes: 11 });
    await app.anonymous.post('/api/v1/developers').send(body()).expect(400);
    await app.clock.advance({ minutes: 61 });
    await prune?.(ctx, {}, { id: '2', attempt: 1, signal: new AbortController().signal });
    expect(await rowCount()).toBe(0);
  });
});

describe('the configuration of the captcha', () => {
  it('must be set explicitly in production', () => {
    const production = { NODE_ENV: 'production', BASE_URL: 'https://agate.example', SIGN_UP: 'open' };
    expect(() => loadConfig(production)).toThrow('CAPTCHA_PROVIDER');
    expect(() => loadConfig({ ...production, CAPTCHA_PROVIDER: 'none' })).not.toThrow();
    expect(() => loadConfig({ CAPTCHA_PROVIDER: 'recaptcha' })).toThrow('CAPTCHA_PROVIDER');
  });
});
