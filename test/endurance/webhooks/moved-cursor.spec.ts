import { type ServerResponse } from 'node:http';
import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
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
import { WebhookReceiver } from '../../support/servers/webhook-receiver';
import { eventually, until } from '../../support/until';

describe('a webhook that is changed while it sends', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let receiver: WebhookReceiver;
  /** The requests that the receiver has not answered. */
  let held: ServerResponse[];
  beforeAll(async () => {
    app = await TestApp.start({ environment: { ...RECEIVERS_HERE, MAX_ORGANIZATIONS_PER_DEVELOPER: '100' } });
    ann = await verifiedDeveloper(app);
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    organization = await ann.createsOrganization('Acme');
    project = await ann.createsProject(organization, 'App');
    receiver = await WebhookReceiver.start();
    held = [];
    receiver.answer = (response) => void held.push(response);
  });
  afterEach(async () => {
    await app.sql('DELETE FROM webhook');
    await receiver.stop();
    expect(
      app.logLines.filter((line) => /could not send|could not be rendered|"level":"(error|fatal)"/.test(line)),
    ).toEqual([]);
  });

  const updates = (name: string) => ann.patch(`/projects/${project.id}?${of(organization)}`, { name }).expect(200);
  const creates = (): Promise<WebhookJson> =>
    createsWebhook(ann, organization, receiver, { projectId: project.id, types: ['project.updated'] });
  /** A webhook with a request that the receiver has not answered. */
  const sends = async (): Promise<WebhookJson> => {
    const webhook = await creates();
    await updates('One');
    await until(() => held.length === 1);
    return webhook;
  };
  const onlyDelivery = async (webhook: WebhookJson, state: string): Promise<DeliveryJson> => {
    const [found] = await eventually(
      () => listsDeliveries(ann, organization, webhook.id, state),
      (all) => all.length === 1,
    );
    return found!;
  };

  // red when: postpone does not say that the cursor was moved, and the delivery stays pending
  it('gives up a message that fails after the webhook was resumed from now on', async () => {
    const webhook = await sends();
    await updates('Two');
    await ann.post(`/webhooks/${webhook.id}/resume?${of(organization)}`, { from: 'now' }).expect(200);
    held[0]!.writeHead(500).end();
    const [delivery] = await eventually(
      () => listsDeliveries(ann, organization, webhook.id),
      ([first]) => first?.attempts === 1,
    );
    expect(delivery).toMatchObject({ state: 'failed', last_status: 500 });
    receiver.always(204);
    await updates('Three');
    await until(() => receiver.messages.length === 2);
    expect(receiver.events[1]?.position).toBeGreaterThan(receiver.events[0]!.position + 1);
    expect(await readsWebhook(ann, organization, webhook.id)).toMatchObject({ state: 'on', failing_since: null });
  });

  // red when: passTo leaves the deliveries that it passes pending
  it('gives up a message that waits when its type is excluded', async () => {
    // The first retry would be due after five seconds, before the change if the machine is busy.
    receiver.always(500, { 'Retry-After': '3600' });
    const webhook = await creates();
    await updates('One');
    await until(async () => (await listsDeliveries(ann, organization, webhook.id))[0]?.attempts === 1);
    await ann.patch(`/webhooks/${webhook.id}?${of(organization)}`, { types: ['channel.created'] }).expect(200);
    await isDueNow(app, webhook.id);
    expect(await onlyDelivery(webhook, 'failed')).toMatchObject({ attempts: 1, last_status: 500 });
    expect(await listsDeliveries(ann, organization, webhook.id, 'pending')).toEqual([]);
  });

  it('records the message that was sent when the webhook is paused', async () => {
    const webhook = await sends();
    await ann.patch(`/webhooks/${webhook.id}?${of(organization)}`, { state: 'off' }).expect(200);
    await updates('Two');
    held[0]!.writeHead(204).end();
    await onlyDelivery(webhook, 'delivered');
    await ann.post(`/webhooks/${webhook.id}/resume?${of(organization)}`, { from: 'where_it_stopped' }).expect(200);
    await until(() => receiver.messages.length === 2);
    expect(receiver.events[1]?.id).not.toBe(receiver.events[0]?.id);
  });

  it('signs a repeated message with both secrets when its secret was rotated during the attempt', async () => {
    const webhook = await sends();
    await ann.post(`/webhooks/${webhook.id}/rotate-secret?${of(organization)}`).expect(200);
    held[0]!.writeHead(401).end();
    await until(() => held.length === 2);
    const [first, again] = receiver.messages;
    expect(again?.body).toBe(first?.body);
    expect([first, again].map((each) => String(each?.headers['webhook-signature']).split(' ').length)).toEqual([1, 2]);
    expect(String(again?.headers['webhook-signature']).split(' ')[1]).not.toBe(first?.headers['webhook-signature']);
  });

  it.each([
    ['it is deleted', (webhook: WebhookJson) => `/webhooks/${webhook.id}?${of(organization)}`],
    ['its project is deleted', () => `/projects/${project.id}?${of(organization)}`],
  ] as const)('ends without a failure when %s', async (_, path) => {
    const webhook = await sends();
    await ann.request('delete', path(webhook)).expect(204);
    held[0]!.writeHead(500).end();
    await until(
      async () => (await app.sql('SELECT FROM graphile_worker.jobs WHERE locked_at IS NOT NULL')).length === 0,
    );
    expect(await app.sql('SELECT id FROM webhook')).toEqual([]);
    const failed = await app.sql(`SELECT last_error FROM graphile_worker.jobs WHERE last_error IS NOT NULL`);
    expect(failed).toEqual([]);
  });

  it('ends without a failure when its organization is deleted', async () => {
    await createsWebhook(ann, organization, receiver, { types: ['project.deleted'] });
    await ann.request('delete', `/projects/${project.id}?${of(organization)}`).expect(204);
    await until(() => held.length === 1);
    await ann.request('delete', `/organizations/${organization.id}`).expect(204);
    held[0]!.writeHead(500).end();
    await until(async () => (await app.sql('SELECT id FROM webhook')).length === 0);
    await until(
      async () => (await app.sql('SELECT FROM graphile_worker.jobs WHERE locked_at IS NOT NULL')).length === 0,
    );
    expect(await app.sql(`SELECT last_error FROM graphile_worker.jobs WHERE last_error IS NOT NULL`)).toEqual([]);
  });

  it('ends without a failure when many are deleted at any moment', async () => {
    receiver.always(204);
    for (let round = 0; round < 5; round += 1) {
      const webhooks = await Promise.all(Array.from({ length: 8 }, creates));
      const changes = Array.from({ length: 10 }, (_, n) => updates(`Round ${round} ${n}`));
      const deletions = webhooks.map(async ({ id }, n) => {
        await new Promise((resolve) => setTimeout(resolve, 300 * n));
        await ann.request('delete', `/webhooks/${id}?${of(organization)}`).expect(204);
      });
      await Promise.all([...changes, ...deletions]);
    }
    await until(
      async () => (await app.sql('SELECT FROM graphile_worker.jobs WHERE locked_at IS NOT NULL')).length === 0,
    );
    expect(await app.sql(`SELECT last_error FROM graphile_worker.jobs WHERE last_error IS NOT NULL`)).toEqual([]);
  });

  // red when: a run that fails ends its claim, or fails its job: each look then adds a job
  it('that cannot read its secret is tried once a minute, and adds no jobs', async () => {
    const webhook = await creates();
    await app.sql(`UPDATE webhook SET secret_sealed = '\\x00' WHERE id = $1`, [webhook.id]);
    await updates('One');
    await until(() => app.logLines.some((line) => line.includes('could not send')));
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(app.logLines.filter((line) => line.includes('could not send'))).toHaveLength(1);
    const jobs = await app.sql(`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'webhooks.send'`);
    expect(jobs).toHaveLength(0);
    expect(JSON.stringify(app.logLines)).not.toMatch(/whsec_|\/hook/);
    app.logLines.length = 0;
  });

  it('shows no install links that the endpoint repeats', async () => {
    const token = 'kq0YyXh2Vw8sN4bR7tLmPc';
    const echo = [`/install/${token}`, `\\/install\\/${token}`, `%2Finstall%2F${token}`].join(' ');
    receiver.answer = (response) => response.writeHead(200).end(echo);
    const webhook = await creates();
    await updates('One');
    const { id } = await onlyDelivery(webhook, 'delivered');
    const { body } = await ann.get(`/webhook-deliveries/${id}?${of(organization)}`).expect(200);
    expect((body as { answer: string }).answer).not.toContain(token);
    expect(JSON.stringify(await app.sql('SELECT answer FROM webhook_delivery'))).not.toContain(token);
    await ann.get(`/webhook-deliveries/${id}?${scope(project)}`).expect(200);
  });
});
