import { type Developer, randomEmail } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { rawRequest } from '../../support/load/raw-http';
import { until } from '../../support/until';

/** Anonymous requests must not fill a mailbox, regardless of the number of client addresses. */
describe('the mail limit', () => {
  let app: TestApp;
  let second: TestApp;
  let ann: Developer;
  beforeAll(async () => {
    const environment = { RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1' };
    app = await TestApp.start({ environment });
    second = await TestApp.start({ environment, beside: app });
    ann = await app.developer();
    await app.clock.advance({ hours: 1 });
  });
  afterAll(async () => {
    await second.stop();
    await app.stop();
  });

  let addresses = 0;
  /** Sends the request from a new address each time, ten concurrently, to both processes. */
  async function send(times: number, path: string, body: object, headers = {}): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    const ask = async (n: number): Promise<void> => {
      addresses += 1;
      const { status } = await rawRequest(`${(n % 2 ? app : second).url}/api/v1${path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Forwarded-For': `10.2.${addresses >> 8}.${addresses & 255}`,
          ...headers,
        },
        body: JSON.stringify(body),
      });
      counts[status] = (counts[status] ?? 0) + 1;
    };
    for (let n = 0; n < times; n += 10) await Promise.all(Array.from({ length: 10 }, (_, k) => ask(n + k)));
    return counts;
  }

  /** Counts the mails of a kind that an address received, after all jobs are done. */
  async function mails(to: string, subject: RegExp): Promise<number> {
    const jobs = 'SELECT FROM graphile_worker.jobs WHERE run_at <= now() OR locked_at IS NOT NULL';
    await until(async () => (await app.sql(jobs)).length === 0);
    return (await app.mailbox.all(to)).filter((mail) => subject.test(mail.subject ?? '')).length;
  }

  // red when: countLinksSince takes no lock (concurrent jobs do not see each other), or is not called
  it('allows three mails per hour for a hundred password resets, which all respond with 204', async () => {
    for (const hour of [1, 2]) {
      expect(await send(100, '/developers/reset_password_request', { email: ann.email })).toEqual({ 204: 100 });
      expect(await mails(ann.email, /password/i)).toBe(3 * hour);
      await app.clock.advance({ hours: 1, seconds: 1 });
    }
  });

  it('allows three mails for a hundred requests of a verification mail', async () => {
    const { email } = await app.unverifiedDeveloper();
    // The mail of the sign-up counts for the hour in which its job runs.
    const before = await mails(email, /./);
    await app.clock.advance({ hours: 1, seconds: 1 });
    expect(await send(100, '/developers/resend-verification', { email })).toEqual({ 204: 100 });
    expect(await mails(email, /./)).toBe(before + 3);
  });

  // red when: PER_EMAIL has no signup. Without Redis each process has its own counters.
  it('allows three mails per process for a hundred sign-ups with a registered e-mail', async () => {
    const before = await mails(ann.email, /./);
    const signUp = { email: ann.email, password: 'a good pass phrase' };
    expect(await send(100, '/developers', signUp)).toEqual({ 202: 6, 429: 94 });
    expect(await mails(ann.email, /./)).toBe(before + 6);
  });

  // red when: emailOf ignores `new_email`
  it('applies to several changes to one new address', async () => {
    const target = randomEmail();
    const { token, password } = await app.developer();
    const change = { new_email: target, password };
    const counts = await send(10, '/developers/me/email', change, { Authorization: `Bearer ${token}` });
    expect(counts).toEqual({ 204: 6, 429: 4 });
    expect(await mails(target, /./)).toBe(6);
  });

  // red when: PER_EMAIL has no invite, so that invitations are limited only per inviting member
  it('applies to invitations of the same address', async () => {
    const bob = await app.developer();
    const organization = await bob.createsOrganization();
    const guest = { email: randomEmail(), roles: ['MEMBER'] };
    const counts = await send(30, `/organizations/${organization.id}/invitations`, guest, {
      Authorization: `Bearer ${bob.token}`,
    });
    expect(counts).toEqual({ 201: 20, 429: 10 });
  });
});
