import { randomUUID } from 'node:crypto';
import type supertest from 'supertest';
import { Developer, type OrganizationRef } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';

describe('members, invitations and project roles', () => {
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

  /** The token of the latest invitation mail. */
  const latestToken = async (email: string): Promise<string> => {
    const mails = await app.mailbox.all(email);
    const link = await app.mailbox.link(email, mails.length);
    return link.searchParams.get('token') ?? '';
  };
  /** Invites a developer, waits for the mail and accepts. */
  const join = async (developer: Developer, roles: string[]): Promise<void> => {
    const before = (await app.mailbox.all(developer.email)).length;
    await ann.post(`/organizations/${organization.id}/invitations`, { email: developer.email, roles }).expect(201);
    const token = (await app.mailbox.link(developer.email, before + 1)).searchParams.get('token');
    await developer.post('/organizations/invitations/accept', { token }).expect(200);
  };

  it('an invitation can be accepted once, by the invited developer only', async () => {
    const [bob, eve] = [await app.developer(), await app.developer()];
    const before = (await app.mailbox.all(bob.email)).length;
    const { body } = await ann
      .post(`/organizations/${organization.id}/invitations`, { email: bob.email.toUpperCase(), roles: ['READ'] })
      .expect(201);
    expect(body).toMatchObject({ roles: ['READ'], organization_id: organization.id });
    expect(JSON.stringify(body)).not.toContain('token');
    const link = await app.mailbox.link(bob.email, before + 1);
    const token = link.searchParams.get('token');
    // Opening the page accepts nothing.
    const page = await app.anonymous.get(link.pathname + link.search).expect(200);
    expect(page.text).toContain('Accept the invitation');
    // red when: accept does not compare the e-mail address
    expect((await eve.post('/organizations/invitations/accept', { token }).expect(400)).body).toMatchObject({
      error: 'invalid_input',
    });
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => bob.post('/organizations/invitations/accept', { token })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(9);
    const members = (await bob.get(`/organizations/${organization.id}/members`).expect(200)).body as {
      items: object[];
    };
    expect(members.items).toHaveLength(2);
    expect(members.items).toContainEqual(
      expect.objectContaining({ developer_id: bob.id, roles: ['READ'], email: bob.email }),
    );
  });

  // red when: the response of the form is stored before its page is rendered
  it('a repeated form that accepts an invitation gets the same page, if it has a key', async () => {
    const bob = await app.developer();
    const before = (await app.mailbox.all(bob.email)).length;
    const { id } = await ann.createsOrganization('Acme Rockets');
    await ann.post(`/organizations/${id}/invitations`, { email: bob.email, roles: ['READ'] }).expect(201);
    const token = (await app.mailbox.link(bob.email, before + 1)).searchParams.get('token');
    const key = randomUUID();
    const accept = (): supertest.Test =>
      bob.request('post', '/organizations/invitations/accept').type('form').set('Idempotency-Key', key).send({ token });
    const first = await accept()
      .expect(200)
      .expect('Content-Type', /text\/html/);
    expect(first.text).toContain('Acme Rockets');
    const second = await accept()
      .expect(200)
      .expect('Content-Type', /text\/html/);
    expect(second.text).toBe(first.text);
  });

  it('an invitation stops working when it is replaced or withdrawn', async () => {
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
    expect(await latestToken(bob.email)).toBe(second);
  });

  // red when: existing members are not looked up, or only with the exact spelling of the address
  it('an invitation to a member is rejected with 409', async () => {
    const [bob, eve] = [await app.developer(), await app.developer()];
    await join(bob, ['READ']);
    const path = `/organizations/${organization.id}/invitations`;
    for (const email of [ann.email, bob.email, bob.email.toUpperCase()]) {
      const { body } = await ann.post(path, { email, roles: ['READ'] }).expect(409);
      expect(body).toMatchObject({ error: 'already_exists' });
    }
    expect((await ann.get(path).expect(200)).body).toMatchObject({ items: [] });
    // A developer of another organization can be invited.
    await ann.post(path, { email: eve.email, roles: ['READ'] }).expect(201);
  });

  // red when: the member joins a second time, or gets the roles of the invitation
  it('a member who accepts an invitation to their new address gets 409 and keeps their roles', async () => {
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
    const renamed = await Developer.logIn(app.url, email, bob.password);
    const accepted = await renamed.post('/organizations/invitations/accept', {
      token: invitation.searchParams.get('token'),
    });
    expect([accepted.status, accepted.body]).toMatchObject([409, { error: 'already_exists' }]);
    const members = (await ann.get(`/organizations/${organization.id}/members`).expect(200)).body as {
      items: object[];
    };
    expect(members.items).toContainEqual(expect.objectContaining({ developer_id: bob.id, roles: ['READ'] }));
    const joined = `SELECT FROM audit_event WHERE type = 'member.joined' AND payload ->> 'developer_id' = $1`;
    expect(await app.sql(joined, [bob.id])).toHaveLength(1);
    // The invitation stays until it is withdrawn or expires.
    expect((await ann.get(path).expect(200)).body).toMatchObject({ items: [{ email }] });
  });

  // red when: the changes are not serialized by an advisory lock
  it('an organization keeps one ADMIN when all of them leave at the same time', async () => {
    const bob = await app.developer();
    await join(bob, ['ADMIN']);
    const members = `/organizations/${organization.id}/members`;
    const responses = await Promise.all([ann.delete(`${members}/${ann.id}`), bob.delete(`${members}/${bob.id}`)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 400]);
    const rejected = responses.find(({ status }) => status === 400);
    expect(rejected?.body).toMatchObject({ error: 'operation_not_allowed', details: { reason: 'last_admin' } });
  });

  it('a changed role takes effect with the next request', async () => {
    const bob = await app.developer();
    await join(bob, ['READ']);
    const project = await ann.createsProject(organization);
    const get = `/projects/${project.id}?organization_id=${organization.id}`;
    const patch = { name: 'Renamed by Bob' };
    await bob.get(get).expect(200);
    const rejected = await bob.patch(get, patch).expect(403);
    expect(rejected.body).toMatchObject({ error: 'insufficient_role', details: { required_role: 'MANAGE_PROJECT' } });
    const member = `/projects/${project.id}/members/${bob.id}?organization_id=${organization.id}`;
    await ann.request('put', member).send({ role: 'MANAGE_PROJECT' }).expect(200);
    await bob.patch(get, patch).expect(200);
    await ann.delete(member).expect(204);
    await bob.patch(get, { name: 'Renamed again' }).expect(403);
    await ann.patch(`/organizations/${organization.id}/members/${bob.id}`, { roles: ['MEMBER'] }).expect(200);
    expect((await bob.get(get).expect(403)).body).toMatchObject({ error: 'permission_denied' });
    await ann.request('put', member).send({ role: 'VIEW_PROJECT' }).expect(200);
    await bob.get(get).expect(200);
    await bob.delete(`/organizations/${organization.id}/members/${ann.id}`).expect(403);
    await bob.delete(`/organizations/${organization.id}/members/${bob.id}`).expect(204);
    await bob.get(get).expect(403);
    await bob.get(`/organizations/${organization.id}`).expect(403);
  });

  it('a project role can be given to members only', async () => {
    const eve = await app.developer();
    const project = await ann.createsProject(organization);
    const path = `/projects/${project.id}/members/${eve.id}?organization_id=${organization.id}`;
    expect((await ann.request('put', path).send({ role: 'VIEW_PROJECT' }).expect(404)).body).toMatchObject({
      error: 'not_found',
    });
    await ann.delete(path).expect(404);
  });

  // red when: the route does not exist, or returns the role in another project
  it('GET …/members/{developer_id} returns the role of a member, to callers who can see the project', async () => {
    const [bob, eve] = [await app.developer(), await app.developer()];
    await join(bob, ['MEMBER']);
    const [here, elsewhere] = [await ann.createsProject(organization), await ann.createsProject(organization)];
    const member = (project: { id: string }, { id }: Developer): string =>
      `/projects/${project.id}/members/${id}?organization_id=${organization.id}`;
    const put = await ann.request('put', member(here, bob)).send({ role: 'VIEW_PROJECT' }).expect(200);
    for (const reader of [ann, bob]) {
      expect((await reader.get(member(here, bob)).expect(200)).body).toEqual(put.body);
    }
    for (const missing of [member(elsewhere, bob), member(here, eve), member(here, ann)]) {
      expect((await ann.get(missing).expect(404)).body).toMatchObject({ error: 'not_found' });
    }
    expect((await eve.get(member(here, bob)).expect(403)).body).toMatchObject({ error: 'permission_denied' });
    await ann.delete(member(here, bob)).expect(204);
    await ann.get(member(here, bob)).expect(404);
  });

  it('GET /projects lists only the projects in which a MEMBER has a role', async () => {
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
