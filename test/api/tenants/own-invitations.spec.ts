import { type Developer, randomEmail } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';

interface OwnInvitation {
  readonly id: string;
  readonly organization_id: string;
  readonly organization_name: string;
}

describe('the invitations to a developer', () => {
  let app: TestApp;
  let ann: Developer;
  let bob: Developer;
  let organization: { readonly id: string };
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    await ann.patch('/developers/me', { name: 'Ann Example' }).expect(200);
  });
  beforeEach(async () => {
    bob = await app.developer();
    organization = await ann.createsOrganization('Acme');
  });
  afterAll(() => app.stop());

  const invites = async (email: string, to = organization, by = ann): Promise<string> => {
    const invitation = { email, roles: ['MANAGER'] };
    return ((await by.post(`/organizations/${to.id}/invitations`, invitation).expect(201)).body as { id: string }).id;
  };
  const listOf = async (developer: Developer, query = ''): Promise<OwnInvitation[]> =>
    ((await developer.get(`/developers/me/invitations${query}`).expect(200)).body as { items: OwnInvitation[] }).items;
  const path = (id: string, act: 'accept' | 'decline'): string => `/developers/me/invitations/${id}/${act}`;
  const eventsOf = (type: string): Promise<Record<string, unknown>[]> =>
    app.sql('SELECT payload FROM audit_event WHERE type = $1 AND organization_id = $2', [type, organization.id]);

  it('are listed newest first, with the organization and the inviter, and to the invited person only', async () => {
    const other = await ann.createsOrganization('Beta');
    const [first, second] = [await invites(bob.email.toUpperCase()), await invites(bob.email, other)];
    await invites(randomEmail());
    expect(await listOf(bob)).toMatchObject([
      { id: second, organization_id: other.id, organization_name: 'Beta' },
      {
        id: first,
        organization_id: organization.id,
        organization_name: 'Acme',
        roles: ['MANAGER'],
        invited_by: { id: ann.id, label: 'Ann Example' },
      },
    ]);
    expect(await listOf(ann)).toEqual([]);
    const { body } = await bob.get('/developers/me/invitations?limit=1').expect(200);
    const { next_cursor: cursor } = body as { next_cursor: string };
    expect(await listOf(bob, `?limit=1&cursor=${cursor}`)).toMatchObject([{ id: first }]);
  });

  // red when: acceptOwn skips a check of accept, or records another event
  it('can be accepted once, without the mailed link', async () => {
    const id = await invites(bob.email);
    expect((await bob.post(path(id, 'accept')).expect(200)).body).toMatchObject({
      id: organization.id,
      name: 'Acme',
      roles: ['MANAGER'],
    });
    expect(await eventsOf('member.joined')).toEqual([
      { payload: { invitation_id: id, developer_id: bob.id, roles: ['MANAGER'] } },
    ]);
    await bob.get(`/organizations/${organization.id}`).expect(200);
    expect(await listOf(bob)).toEqual([]);
    await bob.post(path(id, 'accept')).expect(404);
  });

  it('can be declined, which ends the mailed link and is in the audit feed of the organization', async () => {
    const id = await invites(bob.email);
    const link = await app.mailbox.link(bob.email, 2);
    await bob.post(path(id, 'decline')).expect(204);
    expect(await eventsOf('invitation.declined')).toEqual([{ payload: { invitation_id: id, developer_id: bob.id } }]);
    const token = link.searchParams.get('token');
    await bob.post('/organizations/invitations/accept', { token }).expect(400);
    await bob.post(path(id, 'decline')).expect(404);
    await invites(bob.email);
    expect(await listOf(bob)).toHaveLength(1);
  });

  // red when: findValid does not compare the address
  it('are unknown to every other developer', async () => {
    const id = await invites(bob.email);
    const eve = await app.developer();
    for (const developer of [eve, ann])
      for (const act of ['accept', 'decline'] as const) await developer.post(path(id, act)).expect(404);
    expect(await listOf(bob)).toHaveLength(1);
  });

  it('are hidden from an account whose address is not verified', async () => {
    const email = randomEmail();
    const id = await invites(email);
    const eve = await app.unverifiedDeveloper(email);
    expect(await listOf(eve)).toEqual([]);
    for (const act of ['accept', 'decline'] as const)
      expect((await eve.post(path(id, act)).expect(403)).body).toMatchObject({ error: 'email_not_verified' });
  });

  it('end when they expire, are withdrawn, or their inviter is not ADMIN', async () => {
    const withdrawn = await invites(bob.email);
    await ann.delete(`/organizations/${organization.id}/invitations/${withdrawn}`).expect(204);
    const demoted = await invites(bob.email);
    await app.sql(`UPDATE membership SET roles = '{READ}' WHERE organization_id = $1`, [organization.id]);
    expect(await listOf(bob)).toEqual([]);
    for (const id of [withdrawn, demoted]) await bob.post(path(id, 'accept')).expect(404);
    await app.sql(`UPDATE membership SET roles = '{ADMIN}' WHERE organization_id = $1`, [organization.id]);
    expect(await listOf(bob)).toMatchObject([{ id: demoted }]);
    await app.sql(`UPDATE organization_invitation SET expires_at = app_now() WHERE id = $1`, [demoted]);
    expect(await listOf(bob)).toEqual([]);
    for (const act of ['accept', 'decline'] as const) await bob.post(path(demoted, act)).expect(404);
  });

  it('cannot be accepted by a member, whose roles do not change', async () => {
    const id = await invites(bob.email);
    await app.sql(`INSERT INTO membership VALUES ($1, $2, '{READ}', now())`, [organization.id, bob.id]);
    expect((await bob.post(path(id, 'accept')).expect(409)).body).toMatchObject({ error: 'already_exists' });
    await bob.post(path(id, 'decline')).expect(204);
  });
});
