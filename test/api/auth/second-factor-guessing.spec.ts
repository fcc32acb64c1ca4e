import supertest from 'supertest';
import { generate } from 'otplib';
import { Bearer, type Developer } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';

/** Wrong codes until the first wait (README of developers). */
const FREE = 5;

/** A code has six digits and three of them are right: whoever has the password must not try many (contract §3). */
describe('guessing the second factor', () => {
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
    secret = ((await ann.post('/developers/me/mfa').expect(200)).body as { secret: string }).secret;
    const { body } = await ann.post('/developers/me/mfa/confirm', { code: await codeOf(-30) }).expect(200);
    recoveryCodes = (body as { recovery_codes: string[] }).recovery_codes;
  });

  const codeOf = (seconds = 0): Promise<string> =>
    generate({ secret, epoch: Math.floor(app.clock.now().getTime() / 1000) + seconds });
  /** None that is right now or soon. */
  const wrongCode = async (): Promise<string> => {
    const right = await Promise.all([-30, 0, 30, 60, 90].map(codeOf));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code))!;
  };
  const logsIn = (code: string | undefined, { at = app, password = ann.password } = {}) =>
    supertest(at.url).post('/api/v1/login/email').send({ email: ann.email, password, mfa_code: code });
  const guesses = async (times = FREE): Promise<void> => {
    for (let n = 0; n < times; n++) await logsIn(await wrongCode()).expect(401);
  };
  const eventsOf = (type: string) =>
    app.sql(`SELECT payload FROM audit_event WHERE type = $1 AND payload->>'developer_id' = $2`, [type, ann.id]);

  // red when: nothing counts wrong codes, or the right one is looked at while they have to wait
  it('has to wait after some wrong codes, even for the right one; then that is taken', async () => {
    await guesses();
    const refused = await logsIn(await codeOf()).expect(429);
    expect(refused.body).toMatchObject({ error: 'rate_limit_exceeded' });
    const wait = Number(refused.headers['retry-after']);
    expect((refused.body as { details: object }).details).toMatchObject({ retry_after_seconds: wait });
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    await app.clock.advance({ seconds: wait });
    await logsIn(await codeOf()).expect(200);
  });

  // red when: neither the account nor the factor is locked while a code is judged
  it('of many at once, at two processes, no more than those are looked at', async () => {
    const code = await wrongCode();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => logsIn(code, { at: n % 2 ? app : beside })));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(FREE).fill(401), ...Array<number>(20 - FREE).fill(429)]);
  });

  // red when: the wait does not grow, or without end
  it('has to wait twice as long each time, an hour at most', async () => {
    await guesses();
    const waits: number[] = [];
    for (let n = 0; n < 9; n++) {
      const wait = Number((await logsIn(await wrongCode()).expect(429)).headers['retry-after']);
      waits.push(Math.ceil(wait / 60));
      await app.clock.advance({ seconds: wait });
      await logsIn(await wrongCode()).expect(401);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('a recovery code, which nobody guesses, opens meanwhile, and begins anew', async () => {
    await guesses();
    await logsIn('abcde-fghij').expect(429);
    await logsIn(recoveryCodes[0]).expect(200);
    await guesses();
    await logsIn(await codeOf()).expect(429);
  });

  // red when: wrong codes are counted for whoever has a wrong password, or none at all
  it('nobody without the password makes them wait', async () => {
    for (let n = 0; n < 2 * FREE; n++) await logsIn(await wrongCode(), { password: 'not her password' }).expect(401);
    for (let n = 0; n < 2 * FREE; n++) await logsIn(undefined).expect(401);
    await logsIn(await codeOf()).expect(200);
  });

  // red when: the wrong code is counted in the transaction that is rolled back for it
  it('counts those by which somebody would take it away', async () => {
    const { body } = await logsIn(recoveryCodes[0]).expect(200);
    const session = new Bearer(app.url, (body as { token: string }).token);
    const disables = (code: string) =>
      session.request('delete', '/developers/me/mfa').send({ password: ann.password, code });
    for (let n = 0; n < FREE; n++) {
      expect((await disables(await wrongCode()).expect(400)).body).toMatchObject({ details: { reason: 'wrong_code' } });
    }
    const refused = await disables(await codeOf()).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await logsIn(await codeOf()).expect(429);
    await disables(recoveryCodes[1]!).expect(204);
  });

  it('is told to whom it happens, and recorded', async () => {
    await guesses(FREE - 1);
    expect(await eventsOf('developer.mfa_blocked')).toEqual([]);
    await guesses(1);
    await logsIn(await wrongCode()).expect(429);
    expect(await eventsOf('developer.mfa_blocked')).toEqual([
      { payload: { developer_id: ann.id, wrong_codes: FREE, blocked_seconds: 60 } },
    ]);
    const mail = await app.mailbox.latest(ann.email, 2);
    expect(mail.subject).toContain('wrong codes');
    expect(mail.text).toContain('/developers/reset_password');
  });
});
