import { setTimeout as sleep } from 'node:timers/promises';
import { type Developer, randomEmail } from '../../support/actors/actors';
import { rawRequest } from '../../support/load/raw-http';
import { TestApp } from '../../support/app/test-app';

/** Reliability L4: nobody's mailbox is filled by what strangers ask of this service, from however many addresses. */
describe('a flood of mails', () => {
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
  /** Asks as somebody else each time; ten at once, of either process. */
  async function asks(times: number, path: string, body: object, headers = {}): Promise<Record<string, number>> {
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

  /** How many mails of a kind an address has been sent, once all that was asked for is done. */
  async function mails(to: string, subject: RegExp): Promise<number> {
    while (
      (await app.sql('SELECT FROM graphile_worker.jobs WHERE run_at <= now() OR locked_at IS NOT NULL')).length > 0
    )
      await sleep(50);
    return (await app.mailbox.all(to)).filter((mail) => subject.test(mail.subject ?? '')).length;
  }

  // red when: countLinksSince takes no lock (jobs that run at the same moment do not see each other), or nobody asks it
  it('of a hundred resets: all are answered 204, three are mailed, and three more an hour later', async () => {
    for (const hour of [1, 2]) {
      expect(await asks(100, '/developers/reset_password_request', { email: ann.email })).toEqual({ 204: 100 });
      expect(await mails(ann.email, /password/i)).toBe(3 * hour);
      await app.clock.advance({ hours: 1, seconds: 1 });
    }
  });

  it('of a hundred requests for another verification mail: three', async () => {
    const { email } = await app.unverifiedDeveloper();
    await app.clock.advance({ hours: 1 });
    const before = await mails(email, /./);
    expect(await asks(100, '/developers/resend-verification', { email })).toEqual({ 204: 100 });
    expect(await mails(email, /./)).toBe(before + 3);
  });

  // red when: PER_EMAIL has no signup. Each process counts on its own without Redis.
  it('of a hundred sign-ups with an e-mail that has an account: three for each process', async () => {
    const before = await mails(ann.email, /./);
    const signUp = { email: ann.email, password: 'a good pass phrase' };
    expect(await asks(100, '/developers', signUp)).toEqual({ 202: 6, 429: 94 });
    expect(await mails(ann.email, /./)).toBe(before + 6);
  });

  // red when: emailOf does not look at `new_email`
  it('of somebody who says that it is their own new address', async () => {
    const target = randomEmail();
    const { token, password } = await app.developer();
    const change = { new_email: target, password };
    const counts = await asks(10, '/developers/me/email', change, { Authorization: `Bearer ${token}` });
    expect(counts).toEqual({ 204: 6, 429: 4 });
    expect(await mails(target, /./)).toBe(6);
  });

  // red when: PER_EMAIL has no invite: invitations are counted by who invites alone
  it('of an organization that invites again and again', async () => {
    const bob = await app.developer();
    const organization = await bob.createsOrganization();
    const guest = { email: randomEmail(), roles: ['MEMBER'] };
    const counts = await asks(30, `/organizations/${organization.id}/invitations`, guest, {
      Authorization: `Bearer ${bob.token}`,
    });
    expect(counts).toEqual({ 201: 20, 429: 10 });
  });
});
