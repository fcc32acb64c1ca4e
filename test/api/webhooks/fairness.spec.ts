import { type ServerResponse } from 'node:http';
import { type Developer, type OrganizationRef } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { areQuick, createsWebhook, listsDeliveries, of, RECEIVERS_HERE } from '../../support/actors/webhook-actors';
import { TestApp } from '../../support/app/test-app';
import { type SilentServer, startSilentServer } from '../../support/servers/silent-server';
import { type Answer, WebhookReceiver } from '../../support/servers/webhook-receiver';
import { until } from '../../support/until';

/** More than the two seconds of a quick answer, less than the fifteen seconds after which the service aborts a request. */
const SLOW_MS = 3_000;

const answersLate: Answer = (response) => {
  setTimeout(() => response.writeHead(204).end(), SLOW_MS);
};

describe('the webhooks of other organizations', () => {
  let app: TestApp;
  let ann: Developer;
  let eve: Developer;
  let victim: OrganizationRef;
  let receiver: WebhookReceiver;
  let slow: WebhookReceiver;
  let silent: SilentServer;
  /** The requests that the slow receiver has not answered, and their highest number. */
  let waiting: Set<ServerResponse>;
  let mostWaiting = 0;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { ...RECEIVERS_HERE, MAX_ORGANIZATIONS_PER_DEVELOPER: '100' } });
    [ann, eve] = await Promise.all([verifiedDeveloper(app), verifiedDeveloper(app)]);
    victim = await ann.createsOrganization('Victim');
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    [receiver, slow] = await Promise.all([WebhookReceiver.start(), WebhookReceiver.start()]);
    silent = await startSilentServer();
    waiting = new Set();
    mostWaiting = 0;
    slow.answer = (response) => {
      waiting.add(response);
      mostWaiting = Math.max(mostWaiting, waiting.size);
      response.on('close', () => waiting.delete(response));
    };
    await createsWebhook(ann, victim, receiver);
  });
  afterEach(async () => {
    await app.sql('DELETE FROM webhook');
    await app.sql(`DELETE FROM graphile_worker._private_jobs WHERE locked_at IS NULL`);
    await Promise.all([receiver.stop(), slow.stop(), silent.stop()]);
  });

  /** The time until an event of the victim arrives, in milliseconds. */
  const victimWaits = async (): Promise<number> => {
    const before = receiver.messages.length;
    await ann.createsProject(victim);
    const started = performance.now();
    await until(() => receiver.messages.length > before);
    return performance.now() - started;
  };

  // red when: redeliveries have no queue of their organization: forty of them take all slots for fifteen seconds
  it('do not wait for the redeliveries of one', async () => {
    const organization = await eve.createsOrganization('Flood');
    const fast = await WebhookReceiver.start();
    const { id } = await createsWebhook(eve, organization, fast);
    for (let n = 0; n < 40; n += 1) await eve.createsProject(organization);
    await until(() => fast.messages.length === 40);
    await until(async () => (await listsDeliveries(eve, organization, id, 'delivered')).length === 40);
    await eve.patch(`/webhooks/${id}?${of(organization)}`, { url: slow.url }).expect(200);
    const deliveries = await listsDeliveries(eve, organization, id);
    await Promise.all(
      deliveries.map((one) => eve.post(`/webhook-deliveries/${one.id}/redeliver?${of(organization)}`).expect(202)),
    );
    await until(() => mostWaiting > 0);
    await victimWaits();
    expect(mostWaiting).toBe(1);
    // A test does not wait for them, either: the first one ends after fifteen seconds.
    await eve.patch(`/webhooks/${id}?${of(organization)}`, { url: fast.url }).expect(200);
    await eve.post(`/webhooks/${id}/test?${of(organization)}`).expect(202);
    await until(() => fast.events.some(({ test }) => test), { seconds: 12 });
    await fast.stop();
  });

  // red when: webhooks without a quick success may use all slots
  it('do not wait for endpoints that never respond, which use half of the slots', async () => {
    await victimWaits();
    for (const name of ['Silent 1', 'Silent 2', 'Silent 3']) {
      const organization = await eve.createsOrganization(name);
      for (let n = 0; n < 4; n += 1) await createsWebhook(eve, organization, { url: `http://${silent.host}/` });
      await eve.createsProject(organization);
    }
    await until(() => silent.accepted() >= 4);
    await victimWaits();
    expect(silent.mostOpen()).toBe(4);
  });

  // red when: an answer after more than two seconds counts as quick
  it('are quick after an answer within two seconds, and not after a later one', async () => {
    const isQuick = async (): Promise<boolean | undefined> =>
      (
        await app.sql<{ quick: boolean }>('SELECT is_quick AS quick FROM webhook WHERE organization_id = $1', [
          victim.id,
        ])
      )[0]?.quick;
    expect(await isQuick()).toBe(false);
    // On a busy machine an answer may be late.
    await until(async () => {
      await victimWaits();
      return isQuick();
    });
    receiver.answer = answersLate;
    await victimWaits();
    await until(async () => (await isQuick()) === false);
  });

  // red when: a webhook with a slow endpoint keeps its slot until it has nothing more to send
  it('do not wait until slow endpoints have all their events', async () => {
    const organizations = await Promise.all([1, 2].map((n) => eve.createsOrganization(`Slow ${n}`)));
    for (const organization of organizations)
      for (let n = 0; n < 4; n += 1) await createsWebhook(eve, organization, slow, { types: ['project.updated'] });
    await areQuick(app);
    await app.sql(
      `INSERT INTO audit_event (id, organization_id, type, actor_kind, request_id, payload, time)
       SELECT gen_random_uuid(), id, 'project.updated', 'system', 'test', '{}', now()
       FROM unnest($1::uuid[]) AS id, generate_series(1, 40)`,
      [organizations.map(({ id }) => id)],
    );
    await until(() => waiting.size === 8);
    slow.answer = answersLate;
    for (const response of waiting) slow.answer(response, slow.messages[0]!);
    expect(await victimWaits()).toBeLessThan(60_000);
  });
});
