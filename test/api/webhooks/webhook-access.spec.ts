import { type Developer, type OrganizationRef, type ProjectRef } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { createsWebhook, listsDeliveries, of, readsWebhook, RECEIVERS_HERE } from '../../support/actors/webhook-actors';
import { TestApp } from '../../support/app/test-app';
import { WebhookReceiver } from '../../support/servers/webhook-receiver';
import { eventually, until } from '../../support/until';

let app: TestApp;
let ann: Developer;
let bob: Developer;
let organization: OrganizationRef;
let project: ProjectRef;
let receiver: WebhookReceiver;

beforeAll(async () => {
  app = await TestApp.start({ environment: RECEIVERS_HERE });
  [ann, bob] = await Promise.all([app.developer(), verifiedDeveloper(app)]);
});
afterAll(() => app.stop());
beforeEach(async () => {
  organization = await ann.createsOrganization('Acme');
  project = await ann.createsProject(organization, 'App');
  await app.sql(`INSERT INTO membership VALUES ($1, $2, '{MEMBER}', now())`, [organization.id, bob.id]);
  receiver = await WebhookReceiver.start();
});
afterEach(async () => {
  await app.sql('DELETE FROM webhook');
  await receiver.stop();
});

const getsRole = (role: string) =>
  ann
    .request('put', `/projects/${project.id}/members/${bob.id}?organization_id=${organization.id}`)
    .send({ role })
    .expect(200);
const updates = (name: string) =>
  ann.patch(`/projects/${project.id}?organization_id=${organization.id}`, { name }).expect(200);
const body = (fields: object = {}): object => ({
  name: 'Test',
  url: receiver.url,
  types: ['project.updated'],
  ...fields,
});

describe('access to webhooks', () => {
  it('needs ADMIN for the organization and MANAGE_PROJECT for a project', async () => {
    const refused = await bob.post(`/webhooks?${of(organization)}`, body());
    expect([refused.status, refused.body]).toMatchObject([403, { details: { required_role: 'ADMIN' } }]);
    expect((await bob.post(`/webhooks?${of(organization, project.id)}`, body())).body).toMatchObject({
      error: 'permission_denied',
    });
    await getsRole('MANAGE_RELEASES');
    const lower = await bob.post(`/webhooks?${of(organization, project.id)}`, body());
    expect(lower.body).toMatchObject({ details: { required_role: 'MANAGE_PROJECT' } });
    await getsRole('MANAGE_PROJECT');
    const mine = await createsWebhook(bob, organization, receiver, { projectId: project.id });
    const annsOwn = await createsWebhook(ann, organization, receiver);
    const { body: listed } = await bob.get(`/webhooks?${of(organization, project.id)}`).expect(200);
    expect((listed as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual([mine.id]);
    await bob.get(`/webhooks/${annsOwn.id}?${of(organization)}`).expect(404);
    await ann.get(`/webhooks/${mine.id}?${of(organization)}`).expect(200);
  });

  it('lets tokens change, test and delete a webhook, but neither create one nor redirect it', async () => {
    const { id } = await createsWebhook(ann, organization, receiver);
    const scopes = ['projects:read', 'projects:write'];
    const issued = await ann.post(`/pats?${of(organization)}`, { name: 'CLI', scopes }).expect(201);
    const pat = app.ci((issued.body as { token: string }).token);
    await pat.get(`/webhooks?${of(organization)}`).expect(200);
    await pat.patch(`/webhooks/${id}?${of(organization)}`, { name: 'Renamed' }).expect(200);
    await pat.post(`/webhooks/${id}/test?${of(organization)}`).expect(202);
    await pat.post(`/webhooks/${id}/rotate-secret?${of(organization)}`).expect(200);
    for (const change of [{ url: 'https://evil.example.com' }, { include_links: true }])
      await pat.patch(`/webhooks/${id}?${of(organization)}`, change).expect(403);
    await pat.post(`/webhooks?${of(organization)}`, body()).expect(403);
    await pat.request('delete', `/webhooks/${id}?${of(organization)}`).expect(204);
  });

  // red when: a token reads in a delivery what its scopes hide
  it('shows the body of a delivery only to tokens that may read the objects of the event', async () => {
    const { id } = await createsWebhook(ann, organization, receiver, { types: ['tester.created'] });
    const query = `organization_id=${organization.id}&project_id=${project.id}`;
    await ann.post(`/testers?${query}`, { email: 'tess@example.com' }).expect(201);
    const [delivery] = await eventually(
      () => listsDeliveries(ann, organization, id),
      ([first]) => first?.state === 'delivered',
    );
    const path = `/webhook-deliveries/${delivery!.id}?${of(organization)}`;
    for (const [scopes, status] of [
      [['projects:read'], 403],
      [['projects:read', 'builds:read'], 403],
      [['projects:read', 'testers:read'], 200],
      [['projects:read', 'audit:read'], 200],
    ] as const) {
      const issued = await ann.post(`/pats?${of(organization)}`, { name: 'Reader', scopes }).expect(201);
      const answer = await app.ci((issued.body as { token: string }).token).get(path);
      expect([scopes, answer.status]).toEqual([scopes, status]);
    }
    expect((await ann.get(path).expect(200)).body).toMatchObject({ body: receiver.messages[0]!.body });
  });

  // red when: the number of webhooks is counted without a lock
  it('allows twenty for each organization, also when they are created at the same time', async () => {
    const hook = body({ types: ['organization.deleted'] });
    const all = await Promise.all(Array.from({ length: 24 }, () => ann.post(`/webhooks?${of(organization)}`, hook)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(all.find(({ status }) => status !== 201)?.body).toMatchObject({
      error: 'quota_exceeded',
      details: { quota: 'webhooks_per_organization', limit: 20 },
    });
  });

  // red when: the roles of the creator are read when the webhook is created, or once per run
  it('ends for a webhook with the next event after its creator lost the role, until an ADMIN takes it over', async () => {
    await getsRole('MANAGE_PROJECT');
    const types = ['project.updated'];
    const { id } = await createsWebhook(bob, organization, receiver, { projectId: project.id, types });
    await updates('One');
    await until(() => receiver.messages.length === 1);
    await getsRole('VIEW_PROJECT');
    await updates('Two');
    const off = await eventually(
      () => readsWebhook(ann, organization, id),
      ({ state }) => state === 'off',
    );
    expect(off).toMatchObject({ off_reason: 'creator_lost_access', created_by: bob.id });
    expect(receiver.messages).toHaveLength(1);
    const test = await ann.post(`/webhooks/${id}/test?${of(organization)}`);
    expect(test.body).toMatchObject({ details: { reason: 'webhook_creator_lost_access' } });
    await ann.post(`/webhooks/${id}/resume?${of(organization)}`, { from: 'where_it_stopped' }).expect(200);
    await until(() => receiver.messages.length === 2);
    expect(await readsWebhook(ann, organization, id)).toMatchObject({ state: 'on', created_by: ann.id });
  });

  // red when: the webhook of an ADMIN keeps sending to the address of a member who lost the role
  it('is that of the caller who changed the address', async () => {
    await getsRole('MANAGE_PROJECT');
    const hook = { projectId: project.id, types: ['project.updated'] };
    const { id } = await createsWebhook(ann, organization, { url: 'https://hooks.example.com/' }, hook);
    await bob.patch(`/webhooks/${id}?${of(organization)}`, { name: 'Mine' }).expect(200);
    expect(await readsWebhook(ann, organization, id)).toMatchObject({ created_by: ann.id });
    await bob.patch(`/webhooks/${id}?${of(organization)}`, { url: receiver.url }).expect(200);
    expect(await readsWebhook(ann, organization, id)).toMatchObject({ created_by: bob.id });
    await updates('One');
    await until(() => receiver.messages.length === 1);
    await getsRole('VIEW_PROJECT');
    await updates('Two');
    await until(async () => (await readsWebhook(ann, organization, id)).state === 'off');
    expect(receiver.messages).toHaveLength(1);
  });

  // red when: resume adopts for every credential
  it('is taken over with a login only', async () => {
    await getsRole('MANAGE_PROJECT');
    const { id } = await createsWebhook(bob, organization, receiver, { projectId: project.id });
    const issued = await ann.post(`/pats?${of(organization)}`, { name: 'CLI', scopes: ['projects:write'] }).expect(201);
    const pat = app.ci((issued.body as { token: string }).token);
    await pat.post(`/webhooks/${id}/resume?${of(organization)}`, { from: 'now' }).expect(200);
    await getsRole('VIEW_PROJECT');
    const refused = await pat.post(`/webhooks/${id}/resume?${of(organization)}`, { from: 'now' });
    expect([refused.status, refused.body]).toMatchObject([403, { error: 'operation_not_allowed' }]);
    expect((refused.body as { message: string }).message).toContain('interactive login');
    expect(await readsWebhook(ann, organization, id)).toMatchObject({ created_by: bob.id });
    await ann.post(`/webhooks/${id}/resume?${of(organization)}`, { from: 'now' }).expect(200);
    expect(await readsWebhook(ann, organization, id)).toMatchObject({ created_by: ann.id });
  });

  it('stops for a creator who left the organization', async () => {
    await getsRole('MANAGE_PROJECT');
    const types = ['project.updated'];
    const { id } = await createsWebhook(bob, organization, receiver, { projectId: project.id, types });
    await ann.request('delete', `/organizations/${organization.id}/members/${bob.id}`);
    await updates('Gone');
    await until(async () => (await readsWebhook(ann, organization, id)).state === 'off');
    expect(receiver.messages).toHaveLength(0);
  });

  // red when: `isVisible` does not ask `maySee`; attachments are read by auditors alone
  it('sends no events of other projects, and none that the creator may not read', async () => {
    await getsRole('MANAGE_PROJECT');
    const types = ['project.created', 'billing.updated', 'attachment.created', 'project.updated'];
    const { id } = await createsWebhook(bob, organization, receiver, { projectId: project.id, types });
    await ann.createsProject(organization, 'Other');
    await app.sql(
      `INSERT INTO audit_event (id, organization_id, project_id, type, actor_kind, request_id, payload, time)
       VALUES (gen_random_uuid(), $1, $2, 'attachment.created', 'system', 'test', '{}', app_now())`,
      [organization.id, project.id],
    );
    await updates('Seen');
    await until(() => receiver.messages.length === 1);
    expect(receiver.events[0]).toMatchObject({ type: 'project.updated', project_id: project.id });
    expect(await listsDeliveries(ann, organization, id)).toHaveLength(1);
  });
});
