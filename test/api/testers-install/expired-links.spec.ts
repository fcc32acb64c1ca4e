import { Developer } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

/** Expired links and invitations are deleted a week later. The tests only move the clock forward. */
describe('expired links and invitations', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  const purposes = async (developer: Developer): Promise<string[]> => {
    const rows = await app.sql<{ purpose: string }>(
      'SELECT purpose FROM developer_link WHERE developer_id = $1 ORDER BY purpose',
      [developer.id],
    );
    return rows.map(({ purpose }) => purpose);
  };
  const mailedLink = async (email: string, count = 1): Promise<string> => {
    const { pathname, search } = await app.mailbox.link(email, count);
    return pathname + search;
  };

  // red when: no job prunes developer_link, or the job deletes links that still work
  it('are deleted with the address of a change that was never confirmed', async () => {
    const [ann, bob] = [await app.developer(), await app.unverifiedDeveloper()];
    const verified = await mailedLink(ann.email);
    await mailedLink(bob.email);
    await ann.post('/developers/me/email', { new_email: `new.${ann.email}`, password: ann.password }).expect(204);
    await app.anonymous.post('/api/v1/developers/reset_password_request').send({ email: ann.email }).expect(204);
    await mailedLink(ann.email, 2);
    const all = ['change_email', 'reset_password', 'verify_email'];

    await app.clock.advance({ days: 7 });
    await app.runsJob('developers.prune-links');
    expect([await purposes(ann), await purposes(bob)]).toEqual([all, ['verify_email']]);
    await app.clock.advance({ hours: 2 });
    await app.runsJob('developers.prune-links');
    expect([await purposes(ann), await purposes(bob)]).toEqual([['verify_email'], ['verify_email']]);
    await app.clock.advance({ days: 400 });
    await app.runsJob('developers.prune-links');
    expect(await purposes(bob)).toEqual([]);
    // A used verification link keeps showing its page as long as the account exists.
    await app.anonymous.get(verified).expect(200);
  });

  // red when: the list does not check expires_at, or no job prunes organization_invitation
  it('to an organization are not listed, and are deleted later', async () => {
    const ann = await verifiedDeveloper(app);
    const { id } = await ann.createsOrganization();
    const path = `/organizations/${id}/invitations`;
    await ann.post(path, { email: 'first@example.com', roles: ['READ'] }).expect(201);
    const emails = async (): Promise<unknown[]> => {
      const { token } = await Developer.logIn(app.url, ann.email, ann.password);
      const { body } = await app.ci(token).get(path).expect(200);
      return (body as { items: { email: string }[] }).items.map(({ email }) => email);
    };
    const rows = async (): Promise<number> =>
      (await app.sql('SELECT FROM organization_invitation WHERE organization_id = $1', [id])).length;
    expect(await emails()).toEqual(['first@example.com']);

    await app.clock.advance({ days: 7, minutes: -1 });
    expect(await emails()).toEqual(['first@example.com']);
    await app.clock.advance({ minutes: 2 });
    expect(await emails()).toEqual([]);
    await app.clock.advance({ days: 7, minutes: -2 });
    await app.runsJob('organizations.prune-invitations');
    expect(await rows()).toBe(1);
    await app.clock.advance({ minutes: 2 });
    await app.runsJob('organizations.prune-invitations');
    expect(await rows()).toBe(0);
  });
});
