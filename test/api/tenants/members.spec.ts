import { Developer, type OrganizationRef } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';

describe('members, invitations and project roles (contract §2, §5, §6)', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
  });
  beforeEach(async () => {
    organization = await ann.createsOrganization();
  });
  afterAll(() => app.stop());

  const invited = async (email: string): Promise<string> => {
    const mails = await app.mailbox.all(email);
    const link = await app.mailbox.link(email, mails.length);
    return link.searchParams.get('token') ?? '';
  };
  /** Invites, waits for the mail, and accepts. */
  const join = async (developer: Developer, roles: string[]): Promise<void> => {
    const before = (await app.mailbox.all(developer.email)).length;
    await ann.post(`/organizations/${organization.id}/invitations`, { email: developer.email, roles }).expect(201);
    const token = (await app.mailbox.link(developer.email, before + 1)).searchParams.get('token');
    await developer.post('/organizations/invitations/accept', { token }).expect(200);
  };

  it('lets the invited developer join, once, and nobody else', async () => {
    const [bob, eve] = [await app.developer(), await app.developer()];
    const before = (await app.mailbox.all(bob.email)).length;
    const { body } = await ann
      .post(`/organizations/${organization.id}/invitations`, { email: bob.email.toUpperCase(), roles: ['READ'] })
      .expect(201);
    expect(body).toMatchObject({ roles: ['READ'], organization_id: organization.id });
    expect(JSON.stringify(body)).not.toContain('token');
    const link = await app.mailbox.link(bob.email, before + 1);
    const token = link.searchParams.get('token');
    // looking joins nothing
    const page = await app.anonymous.get(link.pathname + link.search).expect(200);
    expect(page.text).toContain('Accept the invitation');
    // red when: accept does not compare the e-mail
    expect((await eve.post('/organizations/invitations/accept', { token }).expect(400)).body).toMatchObject({
      error: 'invalid_input',
    });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => bob.post('/organizations/invitations/accept', { token })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
    const members = (await bob.get(`/organizations/${organization.id}/members`).expect(200)).body as {
      items: object[];
    };
    expect(members.items).toHaveLength(2);
    expect(members.items).toContainEqual(
      expect.objectContaining({ developer_id: bob.id, roles: ['READ'], email: bob.email }),
    );
  });

  it('replaces, withdraws and expires invitations', async () => {
    const bob = await app.developer();
    const path = `/organizations/${organization.id}/invitations`;
    const count = (await app.mailbox.all(bob.email)).length;
    await ann.post(path, { email: bob.email, roles: ['READ'] }).expect(201);
    const first = (await app.mailbox.link(bob.email, count + 1)).searchParams.get('token');
    await ann.post(path, { email: bob.email, roles: ['MANAGER'] }).expect(201);
    const second = (await app.mailbox.link(bob.email, count + 2)).searchParams.get('token');
    await bob.post('/organizations/invitations/accept', { token: first }).expect(400);
    const { items } = (await ann.get(path).expect(200)).body as { items: { id: string }[] };
    expect(items).toHaveLength(1);
    await bob.get(path).expect(403);
    await ann.delete(`${path}/${items[0]?.id}`).expect(204);
    await bob.post('/organizations/invitations/accept', { token: second }).expect(400);
    expect(await invited(bob.email)).toBe(second);
  });

  // red when: members are not looked for, or only by the address as it is written
  it('refuses to invite a member', async () => {
    const [bob, eve] = [await app.developer(), await app.developer()];
    await join(bob, ['READ']);
    const path = `/organizations/${organization.id}/invitations`;
    for (const email of [ann.email, bob.email, bob.email.toUpperCase()]) {
      const { body } = await ann.post(path, { email, roles: ['READ'] }).expect(409);
      expect(body).toMatchObject({ error: 'already_exists' });
    }
    expect((await ann.get(path).expect(200)).body).toMatchObject({ items: [] });
    // One of another organization is no member here.
    await ann.post(path, { email: eve.email, roles: ['READ'] }).expect(201);
  });

  // red when: a member joins once more: in the feed, or with the invitation's roles
  it('tells a member who accepts under their new address that they have joined before', async () => {
    const bob = await app.developer();
    await join(bob, ['READ']);
    const email = `new.${bob.email}`;
    const path = `/organizations/${organization.id}/invitations`;
    await ann.post(path, { email, roles: ['MANAGER'] }).expect(201);
    const invitation = await app.mailbox.link(email);
    await bob.post('/developers/me/email', { new_email: email, password: bob.password }).expect(204);
    const change = await app.mailbox.link(email, 2);
    await app.anonymous
      .post(change.pathname)
      .send({ token: change.searchParams.get('token') })
      .expect(204);
    const moved = await Developer.logIn(app.url, email, bob.password);
    const accepted = await moved.post('/organizations/invitations/accept', {
      token: invitation.searchParams.get('token'),
    });
    expect([accepted.status, accepted.body]).toMatchObject([409, { error: 'already_exists' }]);
    const members = (await ann.get(`/organizations/${organization.id}/members`).expect(200)).body as {
      items: object[];
    };
    expect(members.items).toContainEqual(expect.objectContaining({ developer_id: bob.id, roles: ['READ'] }));
    const joined = `SELECT FROM audit_event WHERE type = 'member.joined' AND payload ->> 'developer_id' = $1`;
    expect(await app.sql(joined, [bob.id])).toHaveLength(1);
    // It waits to be withdrawn, or for its end.
    expect((await ann.get(path).expect(200)).body).toMatchObject({ items: [{ email }] });
  });

  it('keeps one ADMIN, however many leave at once (red when: advisoryLock is left out)', async () => {
    const bob = await app.developer();
    await join(bob, ['ADMIN']);
    const members = `/organizations/${organization.id}/members`;
    const answers = await Promise.all([ann.delete(`${members}/${ann.id}`), bob.delete(`${members}/${bob.id}`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body).toMatchObject({ error: 'operation_not_allowed', details: { reason: 'last_admin' } });
  });

  it('acts on a changed role with the next request (A7)', async () => {
    const bob = await app.developer();
    await join(bob, ['READ']);
    const project = await ann.createsProject(organization);
    const get = `/projects/${project.id}?organization_id=${organization.id}`;
    const patch = { name: 'renamed by bob' };
    await bob.get(get).expect(200);
    const refused = await bob.patch(get, patch).expect(403);
    expect(refused.body).toMatchObject({ error: 'insufficient_role', details: { required_role: 'MANAGE_PROJECT' } });
    const member = `/projects/${project.id}/members/${bob.id}?organization_id=${organization.id}`;
    await ann.request('put', member).send({ role: 'MANAGE_PROJECT' }).expect(200);
    await bob.patch(get, patch).expect(200);
    await ann.delete(member).expect(204);
    await bob.patch(get, { name: 'again' }).expect(403);
    await ann.patch(`/organizations/${organization.id}/members/${bob.id}`, { roles: ['MEMBER'] }).expect(200);
    expect((await bob.get(get).expect(403)).body).toMatchObject({ error: 'permission_denied' });
    await ann.request('put', member).send({ role: 'VIEW_PROJECT' }).expect(200);
    await bob.get(get).expect(200);
    await bob.delete(`/organizations/${organization.id}/members/${ann.id}`).expect(403);
    await bob.delete(`/organizations/${organization.id}/members/${bob.id}`).expect(204);
    await bob.get(get).expect(403);
    await bob.get(`/organizations/${organization.id}`).expect(403);
  });

  it('gives project roles to members only', async () => {
    const eve = await app.developer();
    const project = await ann.createsProject(organization);
    const path = `/projects/${project.id}/members/${eve.id}?organization_id=${organization.id}`;
    expect((await ann.request('put', path).send({ role: 'VIEW_PROJECT' }).expect(404)).body).toMatchObject({
      error: 'not_found',
    });
    await ann.delete(path).expect(404);
  });

  // red when: GET …/members/{developer_id} is no route, or answers for a role that another project gives
  it('tells the role of one, to those who may see the list', async () => {
    const [bob, eve] = [await app.developer(), await app.developer()];
    await join(bob, ['MEMBER']);
    const [here, elsewhere] = [await ann.createsProject(organization), await ann.createsProject(organization)];
    const member = (project: { id: string }, { id }: Developer): string =>
      `/projects/${project.id}/members/${id}?organization_id=${organization.id}`;
    const put = await ann.request('put', member(here, bob)).send({ role: 'VIEW_PROJECT' }).expect(200);
    for (const reader of [ann, bob]) {
      expect((await reader.get(member(here, bob)).expect(200)).body).toEqual(put.body);
    }
    for (const nobody of [member(elsewhere, bob), member(here, eve), member(here, ann)]) {
      expect((await ann.get(nobody).expect(404)).body).toMatchObject({ error: 'not_found' });
    }
    expect((await eve.get(member(here, bob)).expect(403)).body).toMatchObject({ error: 'permission_denied' });
    await ann.delete(member(here, bob)).expect(204);
    await ann.get(member(here, bob)).expect(404);
  });

  it('lists the projects that a MEMBER may see, and no others', async () => {
    const bob = await app.developer();
    await join(bob, ['MEMBER']);
    const [one] = [await ann.createsProject(organization), await ann.createsProject(organization)];
    await ann
      .request('put', `/projects/${one.id}/members/${bob.id}?organization_id=${organization.id}`)
      .send({ role: 'VIEW_PROJECT' })
      .expect(200);
    const { items } = (await bob.get(`/projects?organization_id=${organization.id}`).expect(200)).body as {
      items: { id: string }[];
    };
    expect(items.map(({ id }) => id)).toEqual([one.id]);
  });
});
