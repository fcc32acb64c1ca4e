import { Webhook } from 'standardwebhooks';
import { type Developer, type OrganizationRef } from '../../support/actors/actors';
import {
  createsWebhook,
  type DeliveryJson,
  isDueNow,
  listsDeliveries,
  of,
  readsWebhook,
  RECEIVERS_HERE,
  type WebhookJson,
} from '../../support/actors/webhook-actors';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { WebhookReceiver } from '../../support/servers/webhook-receiver';
import { eventually, until } from '../../support/until';

let app: TestApp;
let ann: Developer;
let organization: OrganizationRef;
let receiver: WebhookReceiver;

beforeAll(async () => {
  app = await TestApp.start({ environment: RECEIVERS_HERE });
  ann = await app.developer();
});
afterAll(() => app.stop());
beforeEach(async () => {
  organization = await ann.createsOrganization('Acme');
  receiver = await WebhookReceiver.start();
});
afterEach(async () => {
  await app.sql('DELETE FROM webhook');
  await receiver.stop();
});

const received = (count: number): Promise<void> => until(() => receiver.messages.length >= count);

describe('a webhook', () => {
  // red when: the signature covers another text than the Standard Webhooks say
  it('sends the events after its creation, in their order, signed for the library of the Standard Webhooks', async () => {
    await ann.createsProject(organization, 'Before');
    const { secret, id } = await createsWebhook(ann, organization, receiver);
    for (const name of ['One', 'Two', 'Three']) await ann.createsProject(organization, name);
    await received(3);
    expect(receiver.events.map(({ type }) => type)).toEqual(Array(3).fill('project.created'));
    const positions = receiver.events.map(({ position }) => position);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    for (const { body, headers, event } of receiver.messages) {
      const verified = new Webhook(secret).verify(body, headers as Record<string, string>) as object;
      expect(verified).toMatchObject({ organization_id: organization.id, actor: { kind: 'developer' } });
      expect(headers['webhook-id']).toBe(event.id);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
    const deliveries = await eventually(
      () => listsDeliveries(ann, organization, id),
      (all) => all.every(({ state }) => state === 'delivered'),
    );
    expect(deliveries.map(({ event_id }) => event_id).reverse()).toEqual(receiver.events.map((event) => event.id));
    expect(await readsWebhook(ann, organization, id)).toMatchObject({ state: 'on', behind: 0, last_status: 204 });
  });

  it('shows only the host of its address, and its secret only once', async () => {
    const { id } = await createsWebhook(ann, organization, receiver, { types: ['organization.updated'] });
    const shown = await readsWebhook(ann, organization, id);
    expect(shown).toMatchObject({ host: `127.0.0.1:${receiver.port}`, created_by: ann.id });
    expect(JSON.stringify(shown)).not.toContain('/hook');
    expect(shown).not.toHaveProperty('secret');
    const [row] = await app.sql('SELECT * FROM webhook WHERE id = $1', [id]);
    expect(JSON.stringify(row)).not.toMatch(/hook|whsec/);
  });

  // red when: only the new secret signs after a rotation
  it('signs with both secrets for 24 hours after a rotation', async () => {
    const { id, secret: old } = await createsWebhook(ann, organization, receiver);
    const { body } = await ann.post(`/webhooks/${id}/rotate-secret?${of(organization)}`).expect(200);
    const { secret, previous_secret_until: until_ } = body as WebhookJson;
    expect(until_).not.toBeNull();
    await ann.createsProject(organization, 'Rotated');
    await received(1);
    const [{ body: sent, headers }] = receiver.messages as [(typeof receiver.messages)[0]];
    for (const each of [secret, old]) new Webhook(each).verify(sent, headers as Record<string, string>);
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    const sentAt = Number(headers['webhook-timestamp']) - 301;
    const late = { ...(headers as Record<string, string>), 'webhook-timestamp': String(sentAt) };
    expect(() => new Webhook(secret).verify(sent, late)).toThrow('too old');
    await app.sql(`UPDATE webhook SET old_secret_until = app_now() - interval '1 second'`);
    await ann.createsProject(organization, 'Later');
    await received(2);
    expect(receiver.messages[1]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
  });

  // red when: the body is rendered again for another attempt
  it('retries the same bytes with the same id when the endpoint fails, and then continues', async () => {
    receiver.always(500);
    const { id } = await createsWebhook(ann, organization, receiver);
    const project = await ann.createsProject(organization, 'First');
    await received(1);
    const failing = await eventually(
      () => readsWebhook(ann, organization, id),
      ({ failing_since: since }) => since !== null,
    );
    expect(failing).toMatchObject({ state: 'on', behind: expect.any(Number) as number, last_status: 500 });
    expect(failing.next_attempt_at).not.toBeNull();
    await ann.patch(`/projects/${project.id}?organization_id=${organization.id}`, { name: 'Renamed' }).expect(200);
    await ann.createsProject(organization, 'Second');
    receiver.always(200);
    await isDueNow(app, id);
    await received(3);
    const [first, again, second] = receiver.messages;
    expect(again?.body).toBe(first?.body);
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.event.position).toBeGreaterThan(first?.event.position ?? 0);
    const repaired = await eventually(
      () => readsWebhook(ann, organization, id),
      ({ behind }) => behind === 0,
    );
    expect(repaired).toMatchObject({ failing_since: null, next_attempt_at: null, last_error: null });
  });

  // red when: the events of an object are read from the newest one
  it('sends each of two builds that were uploaded at the same time', async () => {
    const project = await ann.createsProject(organization, 'App');
    await createsWebhook(ann, organization, receiver, { projectId: project.id, types: ['build.uploaded'] });
    const file = (n: number) => ({
      bytes: ipa({ info: { CFBundleVersion: String(n), CFBundleShortVersionString: `1.0.${n}` } }),
      fileName: `${n}.ipa`,
    });
    const builds = await Promise.all([1, 2].map((n) => ann.uploads(project, file(n))));
    await received(2);
    const sent = receiver.events.map(({ data }) => data.build as { id: string; version: string; install_url: null });
    expect(new Set(sent.map(({ id, version }) => `${id} ${version}`))).toEqual(
      new Set(builds.map(({ id, version }) => `${id} ${version}`)),
    );
    expect(sent.every(({ install_url: url }) => url === null)).toBe(true);
    expect(JSON.stringify(receiver.messages)).not.toContain('/install/');
  });

  it('sends silent releases, with install links only by choice', async () => {
    const project = await ann.createsProject(organization, 'App');
    await ann.changesPlan(organization, 'business');
    const build = await ann.uploads(project, { bytes: ipa(), fileName: 'a.ipa' });
    const channel = await ann.createsChannel(project, 'Beta');
    const options = { projectId: project.id, types: ['release.promoted'], include_links: true };
    const { id } = await createsWebhook(ann, organization, receiver, options);
    const query = `organization_id=${organization.id}&project_id=${project.id}&channel_id=${channel.id}`;
    await ann.post(`/releases?${query}`, { build_id: build.id, notify: false }).expect(201);
    await received(1);
    const [{ data }] = receiver.events as [(typeof receiver.events)[0]];
    expect(data).toMatchObject({
      notify: false,
      build: { id: build.id, install_url: build.install_url },
      channel: { id: channel.id },
      release: { build_id: build.id, notify: false },
    });
    const [delivery] = await listsDeliveries(ann, organization, id);
    const { body } = await ann.get(`/webhook-deliveries/${delivery!.id}?${of(organization)}`).expect(200);
    expect((body as { body: string }).body).toContain(build.id);
    const token = build.install_url.split('/').at(-1);
    expect((body as { body: string }).body).not.toContain(token);
    const again = `/webhook-deliveries/${delivery!.id}/redeliver?${of(organization)}`;
    await ann.post(again).expect(202);
    await received(2);
    expect(receiver.messages[1]?.body).toContain(token);
    // red when: messages with links are sent again after the choice was taken back
    await ann.patch(`/webhooks/${id}?${of(organization)}`, { include_links: false }).expect(200);
    const refused = await ann.post(again);
    expect(refused.body).toMatchObject({ error: 'operation_not_allowed', details: { reason: 'webhook_links_off' } });
    expect(receiver.messages).toHaveLength(2);
  });

  it('restricts events by branch and platform', async () => {
    const project = await ann.createsProject(organization, 'App');
    const filter = { branches: ['release/*'], platforms: ['ios'] };
    const types = ['build.uploaded', 'project.updated'];
    await createsWebhook(ann, organization, receiver, { projectId: project.id, types, filter });
    const upload = (n: number, branch?: string) =>
      ann.uploads(
        project,
        { bytes: ipa({ info: { CFBundleVersion: String(n) } }), fileName: `${n}.ipa` },
        branch === undefined ? {} : { branch },
      );
    await upload(1, 'main');
    await upload(2);
    const wanted = await upload(3, 'release/1.0');
    await upload(4, 'release/1.0/fix');
    await ann.patch(`/projects/${project.id}?organization_id=${organization.id}`, { name: 'End' }).expect(200);
    await received(2);
    expect(receiver.events.map(({ type }) => type)).toEqual(types);
    expect(receiver.events[0]?.data.build).toMatchObject({ id: wanted.id });
  });

  // red when: an empty list is invalid, or excludes everything
  it('restricts nothing by empty lists', async () => {
    const project = await ann.createsProject(organization, 'App');
    const filter = { channel_ids: [], platforms: [], branches: [] };
    const types = ['build.uploaded'];
    const { id } = await createsWebhook(ann, organization, receiver, { projectId: project.id, types, filter });
    expect(await readsWebhook(ann, organization, id)).toMatchObject({ filter });
    await ann.patch(`/webhooks/${id}?${of(organization)}`, { filter: { platforms: ['android'] } }).expect(200);
    await ann.patch(`/webhooks/${id}?${of(organization)}`, { filter: { platforms: [] } }).expect(200);
    expect(await readsWebhook(ann, organization, id)).toMatchObject({ filter });
    await ann.uploads(project, { bytes: ipa(), fileName: 'a.ipa' });
    await received(1);
    await ann.patch(`/webhooks/${id}?${of(organization)}`, { types: [] }).expect(400);
  });

  // red when: the size is compared with a build of another platform, or a release with the upload before it
  it('compares the size of an upload with the one before, and of a release with the one before in its channel', async () => {
    const project = await ann.createsProject(organization, 'App');
    await ann.changesPlan(organization, 'business');
    const channel = await ann.createsChannel(project, 'Beta');
    const types = ['build.uploaded', 'release.promoted'];
    await createsWebhook(ann, organization, receiver, { projectId: project.id, types, format: 'discord' });
    const upload = (n: number, megabytes: number) =>
      ann.uploads(
        project,
        { bytes: Buffer.alloc(megabytes * 1_000_000, n), fileName: 'App.dmg' },
        { platform: 'macos', version: `1.${n}` },
      );
    const query = `organization_id=${organization.id}&project_id=${project.id}&channel_id=${channel.id}`;
    const promote = ({ id }: { id: string }) =>
      ann.post(`/releases?${query}`, { build_id: id, notify: false }).expect(201);
    const first = await upload(1, 2);
    await promote(first);
    const windows = { bytes: Buffer.alloc(9_000_000, 9), fileName: 'App.exe' };
    await ann.uploads(project, windows, { platform: 'windows', version: '1.1' });
    await upload(2, 5);
    await promote(await upload(3, 4));
    await received(6);
    const sizes = receiver.messages.map(
      ({ body }) =>
        (JSON.parse(body) as { embeds: [{ fields: { name: string; value: string }[] }] }).embeds[0].fields.find(
          ({ name }) => name === 'Size',
        )?.value,
    );
    expect(sizes).toEqual(['2 MB', '2 MB', '9 MB', '5 MB (+3 MB)', '4 MB (-1 MB)', '4 MB (+2 MB)']);
  });

  // red when: the ids of channels are compared as they were written
  it('restricts events by the id of a channel in upper case', async () => {
    const project = await ann.createsProject(organization, 'App');
    await ann.changesPlan(organization, 'business');
    const [wanted, other] = [await ann.createsChannel(project, 'Beta'), await ann.createsChannel(project, 'QA')];
    const options = {
      projectId: project.id,
      types: ['channel.updated'],
      filter: { channel_ids: [wanted.id.toUpperCase()] },
    };
    await createsWebhook(ann, organization, receiver, options);
    const query = `organization_id=${organization.id}&project_id=${project.id}`;
    for (const { id } of [other, wanted])
      await ann.patch(`/channels/${id}?${query}`, { name: `New ${id}` }).expect(200);
    await received(1);
    expect(receiver.events[0]?.data).toMatchObject({ channel_id: wanted.id });
  });

  it('says that an object is gone when it was deleted before the message was written', async () => {
    const project = await ann.createsProject(organization, 'App');
    const { id } = await createsWebhook(ann, organization, receiver, {
      projectId: project.id,
      types: ['build.uploaded'],
    });
    await ann.patch(`/webhooks/${id}?${of(organization)}`, { state: 'off' }).expect(200);
    const build = await ann.uploads(project, { bytes: ipa(), fileName: 'a.ipa' });
    const scope = `organization_id=${organization.id}&project_id=${project.id}`;
    await ann.request('delete', `/builds/${build.id}?${scope}`).expect(204);
    await ann.post(`/webhooks/${id}/resume?${of(organization)}`, { from: 'where_it_stopped' }).expect(200);
    await received(1);
    expect(receiver.events[0]?.data).toMatchObject({ build_id: build.id, build: null, gone: true });
  });
});

describe('the audit events of a webhook', () => {
  // red when: the feed says that a webhook changed, and not which
  it('contain its name, also after its deletion', async () => {
    const { id, name } = await createsWebhook(ann, organization, receiver);
    await ann.patch(`/webhooks/${id}?${of(organization)}`, { name: 'Team chat' }).expect(200);
    await ann.post(`/webhooks/${id}/rotate-secret?${of(organization)}`).expect(200);
    await ann.patch(`/webhooks/${id}?${of(organization)}`, { state: 'off' }).expect(200);
    await ann.post(`/webhooks/${id}/resume?${of(organization)}`, { from: 'now' }).expect(200);
    await ann.delete(`/webhooks/${id}?${of(organization)}`).expect(204);
    const events = await app.sql<{ type: string; name: string }>(
      `SELECT type, payload ->> 'name' AS name FROM audit_event
       WHERE organization_id = $1 AND type LIKE 'webhook.%' ORDER BY time, id`,
      [organization.id],
    );
    expect(events.map((event) => [event.type, event.name])).toEqual([
      ['webhook.created', name],
      ['webhook.updated', 'Team chat'],
      ['webhook.secret_rotated', 'Team chat'],
      ['webhook.updated', 'Team chat'],
      ['webhook.resumed', 'Team chat'],
      ['webhook.deleted', 'Team chat'],
    ]);
  });
});

describe('a test of a webhook', () => {
  it('sends a greeting, or the newest event of a type, with an id of its own', async () => {
    const { id } = await createsWebhook(ann, organization, receiver, { types: ['organization.updated'] });
    const ping = await ann.post(`/webhooks/${id}/test?${of(organization)}`).expect(202);
    expect(ping.body).toMatchObject({ test: true, event_type: 'webhook.ping', state: 'pending' });
    await received(1);
    expect(receiver.events[0]).toMatchObject({ type: 'webhook.ping', test: true, data: {} });
    const project = await ann.createsProject(organization, 'Real');
    await ann.post(`/webhooks/${id}/test?${of(organization)}`, { type: 'project.created' }).expect(202);
    await received(2);
    expect(receiver.events[1]).toMatchObject({ type: 'project.created', test: true, project_id: project.id });
    const [audited] = await app.sql<{ id: string }>(
      `SELECT id FROM audit_event WHERE organization_id = $1 AND type = 'project.created'`,
      [organization.id],
    );
    expect(receiver.events[1]?.id).not.toContain(audited!.id);
    const none = await ann.post(`/webhooks/${id}/test?${of(organization)}`, { type: 'release.promoted' });
    expect(none.body).toMatchObject({
      error: 'operation_not_allowed',
      details: { reason: 'webhook_no_event' },
    });
  });

  it('is limited to three a minute', async () => {
    const limited = await TestApp.start({ beside: app, environment: { ...RECEIVERS_HERE, RATE_LIMIT_FACTOR: '1' } });
    try {
      const { id } = await createsWebhook(ann, organization, receiver, { types: ['organization.updated'] });
      const bob = limited.ci(ann.token);
      const path = `/webhooks/${id}/test?${of(organization)}`;
      const statuses: number[] = [];
      for (let n = 0; n < 4; n += 1) statuses.push((await bob.post(path)).status);
      expect(statuses).toEqual([202, 202, 202, 429]);
    } finally {
      await limited.stop();
    }
  });
});

describe('a delivery', () => {
  it('is sent again with the same id and body when a person redelivers it', async () => {
    const { id } = await createsWebhook(ann, organization, receiver);
    await ann.createsProject(organization, 'Once');
    const [delivery] = await eventually(
      () => listsDeliveries(ann, organization, id, 'delivered'),
      (all) => all.length === 1,
    );
    await ann.post(`/webhook-deliveries/${delivery!.id}/redeliver?${of(organization)}`).expect(202);
    await received(2);
    expect(receiver.messages[1]?.body).toBe(receiver.messages[0]?.body);
    expect(receiver.events[1]?.id).toBe(receiver.events[0]?.id);
    const [again] = await eventually(
      () => listsDeliveries(ann, organization, id),
      ([first]) => first?.attempts === 2,
    );
    expect(again).toMatchObject({ state: 'delivered', last_status: 204 } satisfies Partial<DeliveryJson>);
  });

  it('is shown with the response, cut to a kilobyte', async () => {
    receiver.answer = (response) => response.writeHead(200).end('x'.repeat(5000));
    const { id } = await createsWebhook(ann, organization, receiver);
    await ann.createsProject(organization, 'Once');
    const [delivery] = await eventually(
      () => listsDeliveries(ann, organization, id, 'delivered'),
      (all) => all.length === 1,
    );
    const { body } = await ann.get(`/webhook-deliveries/${delivery!.id}?${of(organization)}`).expect(200);
    expect(body).toMatchObject({ body: receiver.messages[0]!.body, answer: 'x'.repeat(1024) });
  });
});
