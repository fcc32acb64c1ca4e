import { randomEmail } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { rawRequest } from '../../../support/load/raw-http';

const PASSWORD = 'an entirely new phrase';

describe('sign-up and mailed links', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { BASE_URL: 'https://agate.example.com' } });
  });
  afterAll(() => app.stop());

  const post = (path: string, body: object) => app.anonymous.post(`/api/v1/developers${path}`).send(body);

  it('return the same 202 for a known and an unknown address', async () => {
    const { email } = await app.developer();
    const known = await post('', { email, password: PASSWORD }).expect(202);
    const unknown = await post('', { email: randomEmail(), password: PASSWORD }).expect(202);
    expect(known.body).toEqual(unknown.body);
    expect((await app.mailbox.latest(email, 2)).text).not.toContain('verify_email');
  });

  // red when: a link is built from the request's Host
  it('build links only from BASE_URL', async () => {
    const email = randomEmail();
    await rawRequest(`${app.url}/api/v1/developers`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Host: 'evil.example',
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Proto': 'http',
      },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    const mail = await app.mailbox.latest(email);
    expect((await app.mailbox.link(email)).origin).toBe('https://agate.example.com');
    expect(`${mail.text} ${mail.html}`).not.toContain('evil');
  });

  // red when: HEAD runs the GET handler, which is the default of Express
  it('verify the address by GET or POST, once, and never by HEAD', async () => {
    const email = randomEmail();
    await post('', { email, password: PASSWORD }).expect(202);
    const { pathname, search, searchParams } = await app.mailbox.link(email);
    await app.anonymous
      .head(pathname + search)
      .expect(200)
      .expect('Content-Type', 'text/html; charset=utf-8');
    const done = await app.anonymous.get(pathname + search).expect(200);
    expect(done.headers['content-type']).toMatch(/^text\/html/);
    expect(done.headers['set-cookie']).toBeUndefined();
    expect((await app.anonymous.get(pathname + search).expect(200)).text).toMatch(/already/i);
    const token = searchParams.get('token');
    expect((await app.anonymous.post(pathname).send({ token }).expect(400)).body).toMatchObject({
      error: 'invalid_input',
    });
    const bad = await app.anonymous.get(`${pathname}?token=nonsense`).expect(400);
    expect(bad.headers['content-type']).toMatch(/^text\/html/);
    expect(bad.text).toContain('action="/api/v1/developers/resend-verification"');
  });

  // red when: verifyEmail looks at the link only, or a verification deletes the other links
  it('show "already verified" for every verification link of a verified account', async () => {
    const email = randomEmail();
    await post('', { email, password: PASSWORD }).expect(202);
    const links = [await app.mailbox.link(email)];
    await app.clock.advance({ hours: 25 });
    for (const count of [2, 3]) {
      await post('/resend-verification', { email }).expect(204);
      links.push(await app.mailbox.link(email, count));
    }
    const [expired, unused, used] = links as [URL, URL, URL];
    expect((await app.anonymous.get(expired.pathname + expired.search).expect(400)).text).toContain('<form');
    const verified = await app.anonymous.get(used.pathname + used.search).expect(200);
    expect(verified.text).not.toMatch(/already/i);
    const opens = async () => {
      for (const { pathname, search, searchParams } of [expired, unused, used]) {
        const page = await app.anonymous.get(pathname + search);
        expect([page.status, page.text]).toEqual([200, expect.stringMatching(/already/i)]);
        const token = searchParams.get('token');
        const form = await app.anonymous.post(pathname).type('form').send({ token });
        expect([form.status, form.text]).toEqual([200, expect.stringMatching(/already/i)]);
        const { body } = await app.anonymous.post(pathname).send({ token }).expect(400);
        expect(body).toMatchObject({ error: 'invalid_input', details: { reason: 'link_expired' } });
      }
    };
    await opens();
    // The links are kept for longer than a week, after which unused links are deleted.
    await app.clock.advance({ hours: 24 * 9 });
    await app.runsJob('developers.prune-links');
    await opens();
  });

  // red when: verifyEmail does not read the account
  it('show "already verified" for the verification link of an account that a password reset verified', async () => {
    const email = randomEmail();
    await post('', { email, password: PASSWORD }).expect(202);
    const { pathname, search } = await app.mailbox.link(email);
    await post('/reset_password_request', { email }).expect(204);
    const reset = await app.mailbox.link(email, 2);
    const token = reset.searchParams.get('token');
    await post('/reset_password', { token, new_password: PASSWORD }).expect(204);
    expect((await app.anonymous.get(pathname + search).expect(200)).text).toMatch(/already/i);
  });

  it.each(['/resend-verification', '/reset_password_request'])(
    'return 204 on %s for known and unknown addresses',
    async (path) => {
      const { email } = await app.developer();
      for (const each of [email, randomEmail()]) expect((await post(path, { email: each }).expect(204)).text).toBe('');
    },
  );

  it('reset a password by the mailed link, and opening the link does not use it', async () => {
    const { email } = await app.developer();
    await post('/reset_password_request', { email }).expect(204);
    const { pathname, search, searchParams } = await app.mailbox.link(email, 2);
    for (let look = 0; look < 2; look++) {
      expect((await app.anonymous.get(pathname + search).expect(200)).text).toContain('name="new_password"');
    }
    const token = searchParams.get('token')!;
    await post('/reset_password', { token, new_password: 'short' }).expect(400);
    await post('/reset_password', { token, new_password: PASSWORD }).expect(204);
    expect((await post('/reset_password', { token, new_password: PASSWORD }).expect(400)).body).toMatchObject({
      error: 'invalid_input',
    });
    await app.anonymous.post('/api/v1/login/email').send({ email, password: PASSWORD }).expect(200);
  });

  it('reject a verification link after 24 hours', async () => {
    const email = randomEmail();
    await post('', { email, password: PASSWORD }).expect(202);
    const { pathname, search } = await app.mailbox.link(email);
    await app.clock.advance({ hours: 24, minutes: 1 });
    await app.anonymous.get(pathname + search).expect(400);
  });

  it.each([['123456789'], ['qwerty12345'], ['x'.repeat(257)], ['\ud800 and nine more']])(
    'reject the password %j',
    async (password) => {
      const { body } = await post('', { email: randomEmail(), password }).expect(400);
      expect(body).toMatchObject({ error: 'validation_error' });
    },
  );
});
