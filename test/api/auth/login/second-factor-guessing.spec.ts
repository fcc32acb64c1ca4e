import { generate } from 'otplib';
import supertest from 'supertest';
import { Bearer, type Developer } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';

/** The number of wrong codes, from all networks together, that starts the first lockout. */
const ALLOWED = 20;
/** The number of wrong codes after which the owner gets a mail. */
const MAIL_AFTER = 5;

/** Three of a million codes are correct at any time, so an attacker who knows the password must not be able to try many. */
describe('a second factor', () => {
  let app: TestApp;
  let beside: TestApp;
  let ann: Developer;
  let secret: string;
  let recoveryCodes: string[];

  beforeAll(async () => {
    app = await TestApp.start();
    beside = await TestApp.start({ beside: app, worker: false });
  });
  afterAll(async () => {
    await beside.stop();
    await app.stop();
  });
  beforeEach(async () => {
    ann = await app.developer();
    secret = ((await ann.post('/developers/me/mfa', { password: ann.password }).expect(200)).body as { secret: string })
      .secret;
    const { body } = await ann
      .post('/developers/me/mfa/confirm', { password: ann.password, code: await codeOf() })
      .expect(200);
    recoveryCodes = (body as { recovery_codes: string[] }).recovery_codes;
    // A code is accepted only once.
    await app.clock.advance({ seconds: 30 });
  });

  const codeOf = (seconds = 0): Promise<string> =>
    generate({ secret, epoch: Math.floor(app.clock.now().getTime() / 1000) + seconds });
  /** A code that is wrong now and in the next 90 seconds. */
  const wrongCode = async (): Promise<string> => {
    const correct = await Promise.all([-30, 0, 30, 60, 90].map(codeOf));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !correct.includes(code))!;
  };
  const logsIn = (code: string | undefined, { at = app, password = ann.password } = {}) =>
    supertest(at.url).post('/api/v1/login/email').send({ email: ann.email, password, mfa_code: code });
  const sendsWrongCodes = async (times = ALLOWED): Promise<void> => {
    for (let n = 0; n < times; n++) await logsIn(await wrongCode()).expect(401);
  };
  const eventsOf = (type: string) =>
    app.sql(`SELECT payload FROM audit_event WHERE type = $1 AND payload->>'developer_id' = $2`, [type, ann.id]);

  // red when: wrong codes are not counted, or a code is checked during the lockout
  it('is locked after twenty wrong codes, even for the correct code, and accepts that code after the lockout', async () => {
    await sendsWrongCodes();
    const refused = await logsIn(await codeOf()).expect(429);
    expect(refused.body).toMatchObject({ error: 'rate_limit_exceeded' });
    const wait = Number(refused.headers['retry-after']);
    expect((refused.body as { details: object }).details).toMatchObject({ retry_after_seconds: wait });
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    await app.clock.advance({ seconds: wait });
    await logsIn(await codeOf()).expect(200);
  });

  // red when: neither the row of the account nor that of the factor is locked while a code is checked
  it('checks no more than twenty of many concurrent wrong codes on two processes', async () => {
    const code = await wrongCode();
    const responses = await Promise.all(
      Array.from({ length: ALLOWED + 10 }, (_, n) => logsIn(code, { at: n % 2 ? app : beside })),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(ALLOWED).fill(401), ...Array<number>(10).fill(429)]);
  });

  // red when: the lockout does not grow, or grows without a limit
  it('is locked twice as long each time, up to an hour', async () => {
    await sendsWrongCodes();
    const waits: number[] = [];
    for (let n = 0; n < 9; n++) {
      const wait = Number((await logsIn(await wrongCode()).expect(429)).headers['retry-after']);
      waits.push(Math.ceil(wait / 60));
      await app.clock.advance({ seconds: wait });
      await logsIn(await wrongCode()).expect(401);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('accepts a recovery code during a lockout, which resets the count of wrong codes', async () => {
    await sendsWrongCodes();
    await logsIn('abcde-fghij').expect(429);
    await logsIn(recoveryCodes[0]).expect(200);
    await sendsWrongCodes();
    await logsIn(await codeOf()).expect(429);
  });

  // red when: wrong codes count without the correct password, or missing codes count
  it('is not locked by wrong passwords or missing codes', async () => {
    for (let n = 0; n < 2 * ALLOWED; n++) await logsIn(await wrongCode(), { password: 'not her password' }).expect(401);
    for (let n = 0; n < 2 * ALLOWED; n++) await logsIn(undefined).expect(401);
    await logsIn(await codeOf()).expect(200);
  });

  // red when: the count of a wrong code is rolled back with the rejected request
  it('counts wrong codes of requests that would disable it', async () => {
    const { body } = await logsIn(recoveryCodes[0]).expect(200);
    const session = new Bearer(app.url, (body as { token: string }).token);
    const disables = (code: string) =>
      session.request('delete', '/developers/me/mfa').send({ password: ann.password, code });
    for (let n = 0; n < ALLOWED; n++) {
      expect((await disables(await wrongCode()).expect(400)).body).toMatchObject({ details: { reason: 'wrong_code' } });
    }
    const refused = await disables(await codeOf()).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await logsIn(await codeOf()).expect(429);
    await disables(recoveryCodes[1]!).expect(204);
  });

  it('sends a mail to its owner after five wrong codes, and writes an audit event when it is locked', async () => {
    await sendsWrongCodes(MAIL_AFTER);
    const mail = await app.mailbox.latest(ann.email, 3);
    expect(mail.subject).toContain('wrong codes');
    expect(mail.text).toContain('/developers/reset_password');
    await sendsWrongCodes(ALLOWED - MAIL_AFTER - 1);
    expect(await eventsOf('developer.mfa_blocked')).toEqual([]);
    await sendsWrongCodes(1);
    await logsIn(await wrongCode()).expect(429);
    expect(await eventsOf('developer.mfa_blocked')).toEqual([
      { payload: { developer_id: ann.id, wrong_codes: ALLOWED, blocked_seconds: 60 } },
    ]);
  });

  // red when: a lockout applies to every device
  it('is not locked for a device from which its owner logged in before', async () => {
    const login = await logsIn(recoveryCodes[0]).expect(200);
    const [cookie = ''] = /dfdeveloper_device=[^;]+/.exec(String(login.headers['set-cookie'])) ?? [];
    await sendsWrongCodes();
    await logsIn(await codeOf()).expect(429);
    await logsIn(await codeOf())
      .set('Cookie', cookie)
      .expect(200);
  });

  // red when: a new password keeps the lockout that wrong codes with the old one caused
  it('is no longer locked after its owner has set a new password with a mailed link', async () => {
    await sendsWrongCodes();
    await app.anonymous.post('/api/v1/developers/reset_password_request').send({ email: ann.email }).expect(204);
    const link = await app.mailbox.link(ann.email, 4);
    const reset = { token: link.searchParams.get('token'), new_password: 'another good phrase' };
    await app.anonymous.post('/api/v1/developers/reset_password').send(reset).expect(204);
    await logsIn(await codeOf(), { password: reset.new_password }).expect(200);
  });
});
