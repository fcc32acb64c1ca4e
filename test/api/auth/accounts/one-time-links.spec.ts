import { randomEmail } from '../../../support/actors/actors';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { rawRequest } from '../../../support/load/raw-http';

const CONCURRENT = 50;

/** A link works once, also for concurrent requests on two processes. */
describe('a mailed link', () => {
  let one: TestApp;
  let two: TestApp;
  beforeAll(async () => {
    one = await TestApp.start();
    two = await TestApp.start({ beside: one, worker: false });
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
  });

  /** Sends concurrent requests to both processes and counts the status codes. */
  const sendConcurrently = async (path: string, body: object, token?: string): Promise<Record<number, number>> => {
    const responses = await Promise.all(
      Array.from({ length: CONCURRENT }, (_, index) =>
        rawRequest(`${(index % 2 ? one : two).url}/api/v1${path}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
          body: JSON.stringify(body),
        }),
      ),
    );
    const counts: Record<number, number> = {};
    for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const events = async (type: string, developerId: string): Promise<number> =>
    (
      await one.sql(`SELECT 1 FROM audit_event WHERE type = $1 AND payload ->> 'developer_id' = $2`, [
        type,
        developerId,
      ])
    ).length;
  const tokenOf = (link: URL): string => link.searchParams.get('token') ?? '';

  // red when: consumeLink does not check `used_at IS NULL`
  it('verifies an address once', async () => {
    const ann = await one.unverifiedDeveloper();
    const link = await one.mailbox.link(ann.email);
    await one.anonymous.head(link.pathname + link.search).expect(200);
    expect(await sendConcurrently(link.pathname.replace('/api/v1', ''), { token: tokenOf(link) })).toEqual({
      204: 1,
      400: 49,
    });
    expect(await events('developer.email_verified', ann.id)).toBe(1);
  });

  it('sets a password once', async () => {
    const ann = await verifiedDeveloper(one);
    await one.anonymous.post('/api/v1/developers/reset_password_request').send({ email: ann.email }).expect(204);
    const token = tokenOf(await one.mailbox.link(ann.email, 2));
    const counts = await sendConcurrently('/developers/reset_password', { token, new_password: 'another good phrase' });
    // 429: the queue for password hashes was full.
    expect({ won: counts[204], others: (counts[400] ?? 0) + (counts[429] ?? 0) }).toEqual({ won: 1, others: 49 });
    expect(await events('developer.password_reset', ann.id)).toBe(1);
  });

  it('changes an address once', async () => {
    const ann = await verifiedDeveloper(one);
    const email = randomEmail();
    await ann.post('/developers/me/email', { new_email: email, password: ann.password }).expect(204);
    const link = await one.mailbox.link(email);
    expect(await sendConcurrently(link.pathname.replace('/api/v1', ''), { token: tokenOf(link) })).toEqual({
      204: 1,
      400: 49,
    });
    expect(await events('developer.email_changed', ann.id)).toBe(1);
  });

  it('joins an organization once', async () => {
    const [ann, bob] = [await verifiedDeveloper(one), await verifiedDeveloper(one)];
    const { id } = await ann.createsOrganization();
    await ann.post(`/organizations/${id}/invitations`, { email: bob.email, roles: ['READ'] }).expect(201);
    const token = tokenOf(await one.mailbox.link(bob.email, 2));
    expect(await sendConcurrently('/organizations/invitations/accept', { token }, bob.token)).toEqual({
      200: 1,
      400: 49,
    });
    expect(await events('member.joined', bob.id)).toBe(1);
  });
});
