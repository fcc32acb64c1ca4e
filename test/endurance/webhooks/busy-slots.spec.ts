import { WebhookClient } from '../../../src/modules/webhooks/sending/webhook-client';
import { type Developer, type OrganizationRef } from '../../support/actors/actors';
import {
  areQuick,
  createsWebhook,
  type DeliveryJson,
  listsDeliveries,
  of,
  RECEIVERS_HERE,
} from '../../support/actors/webhook-actors';
import { TestApp } from '../../support/app/test-app';
import { type SilentServer, startSilentServer } from '../../support/servers/silent-server';
import { WebhookReceiver } from '../../support/servers/webhook-receiver';
import { eventually, until } from '../../support/until';

/** The slots of the class `network` in a process, and how many of them one organization may use. */
const SLOTS = 8;
const OF_ORGANIZATION = 4;

describe('a test and a redelivery while endpoints that never respond occupy all slots', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let receiver: WebhookReceiver;
  let silent: SilentServer;
  let releaseSlots: () => void = () => undefined;

  beforeAll(async () => {
    app = await TestApp.start({ environment: RECEIVERS_HERE });
    ann = await app.developer();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    organization = await ann.createsOrganization('Acme');
    receiver = await WebhookReceiver.start();
    silent = await startSilentServer();
  });
  afterEach(async () => {
    releaseSlots();
    jest.restoreAllMocks();
    await app.sql('DELETE FROM webhook');
    await silent.stop();
    await receiver.stop();
  });

  /** Makes all slots wait for servers that say nothing. */
  async function occupied(): Promise<void> {
    for (let taken = 0; taken < SLOTS; taken += OF_ORGANIZATION) {
      const other = await ann.createsOrganization('Other');
      for (let n = 0; n < OF_ORGANIZATION; n += 1)
        await createsWebhook(ann, other, { url: `http://${silent.host}/${n}` });
      await areQuick(app);
      await ann.createsProject(other);
    }
    await until(() => silent.accepted() >= SLOTS);
  }

  /** Keeps the slots of attempts that fail, which take 15 seconds, until `releaseSlots` is called. */
  const holdSlots = (): void => {
    const released = new Promise<void>((resolve) => (releaseSlots = resolve));
    const client = app.nest.get(WebhookClient, { strict: false });
    const post = client.post.bind(client);
    jest.spyOn(client, 'post').mockImplementation(async (message, signal) => {
      const attempt = await post(message, signal);
      if (attempt.error !== null) await released;
      return attempt;
    });
  };

  const delivery = async (id: string): Promise<DeliveryJson> =>
    (await ann.get(`/webhook-deliveries/${id}?${of(organization)}`).expect(200)).body as DeliveryJson;
  const ended = (id: string): Promise<DeliveryJson> =>
    eventually(
      () => delivery(id),
      ({ state }) => state !== 'pending',
    );

  // red when: a run of an endpoint that does not respond keeps its slot for its next event
  it('are answered immediately, wait, and are sent when a slot is free', async () => {
    const { id } = await createsWebhook(ann, organization, receiver, { types: ['organization.updated'] });
    await occupied();
    const started = performance.now();
    const { body } = await ann.post(`/webhooks/${id}/test?${of(organization)}`).expect(202);
    // A response that waits for a slot takes 15 seconds.
    expect(performance.now() - started).toBeLessThan(14_000);
    expect(body).toMatchObject({ state: 'pending', attempts: 0 });
    expect(await ended((body as DeliveryJson).id)).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(performance.now() - started).toBeLessThan(40_000);
  });

  // red when: the time of the request is not part of the job; the message is then sent when nobody expects it any longer
  it('end as busy when no slot was free for two minutes', async () => {
    const { id } = await createsWebhook(ann, organization, receiver, { types: ['organization.updated'] });
    const first = await ann.post(`/webhooks/${id}/test?${of(organization)}`).expect(202);
    await ended((first.body as DeliveryJson).id);
    holdSlots();
    await occupied();
    const test = await ann.post(`/webhooks/${id}/test?${of(organization)}`).expect(202);
    await ann.post(`/webhook-deliveries/${(first.body as DeliveryJson).id}/redeliver?${of(organization)}`).expect(202);
    await app.clock.advance({ seconds: 121 });
    releaseSlots();
    for (const message of [test, first])
      expect(
        await eventually(
          () => delivery((message.body as DeliveryJson).id),
          ({ last_error: error }) => error === 'busy',
        ),
      ).toMatchObject({ state: 'failed', last_status: null });
    expect(receiver.messages).toHaveLength(1);
  });

  // red when: the jobs of one organization are not in one queue
  it('of one organization use one slot each', async () => {
    const { id } = await createsWebhook(
      ann,
      organization,
      { url: `http://${silent.host}/` },
      { types: ['organization.updated'] },
    );
    for (let n = 0; n < 3; n += 1) await ann.post(`/webhooks/${id}/test?${of(organization)}`).expect(202);
    await until(() => silent.accepted() >= 1);
    const other = await ann.createsOrganization('Other');
    await createsWebhook(ann, other, receiver);
    await ann.createsProject(other);
    await until(() => receiver.messages.length === 1);
    // On a busy machine one of the three can end before this. The next one takes its slot.
    const accepted = silent.accepted();
    const pending = await listsDeliveries(ann, organization, id, 'pending');
    expect(accepted).toBeLessThanOrEqual(4 - pending.length);
  });
});
