import { type ServerResponse } from 'node:http';
import { type Developer, type OrganizationRef } from '../../support/actors/actors';
import { createsWebhook, listsDeliveries, of, readsWebhook, RECEIVERS_HERE } from '../../support/actors/webhook-actors';
import { TestApp } from '../../support/app/test-app';
import { WebhookReceiver } from '../../support/servers/webhook-receiver';
import { eventually, until } from '../../support/until';

let app: TestApp;
let ann: Developer;
let organization: OrganizationRef;
let receiver: WebhookReceiver;
const receivers: WebhookReceiver[] = [];

beforeAll(async () => {
  app = await TestApp.start({ environment: { ...RECEIVERS_HERE, MAX_ORGANIZATIONS_PER_DEVELOPER: '100' } });
  ann = await app.developer();
});
afterAll(() => app.stop());
beforeEach(async () => {
  organization = await ann.createsOrganization('Acme');
  receiver = await starts();
});
afterEach(async () => {
  await app.sql('DELETE FROM webhook');
  await Promise.all(receivers.splice(0).map((each) => each.stop()));
});

const starts = async (): Promise<WebhookReceiver> => {
  const started = await WebhookReceiver.start();
  receivers.push(started);
  return started;
};

/** Adds events of the organization without requests. */
const happen = (of: OrganizationRef, count: number): Promise<unknown> =>
  app.sql(
    `INSERT INTO audit_event (id, organization_id, type, actor_kind, request_id, payload, time)
     SELECT gen_random_uuid(), $1, 'organization.updated', 'system', 'test', '{}', now() FROM generate_series(1, $2)`,
    [of.id, count],
  );

describe('the turn of a webhook', () => {
  const types = ['organization.updated'];

  // red when: a job takes the webhook from one that is sending
  it('has one run, also when a job waited so long that another was added', async () => {
    let held: ServerResponse | undefined;
    receiver.answer = (response) => {
      if (held) response.writeHead(204).end();
      else held = response;
    };
    const { id } = await createsWebhook(ann, organization, receiver, { types });
    await happen(organization, 3);
    await until(() => held !== undefined);
    await app.sql(`SELECT FROM graphile_worker.add_job('webhooks.send', $1, job_key => 'second')`, [
      { request_id: 'test', data: { webhookId: id } },
    ]);
    await until(async () => (await app.sql(`SELECT FROM graphile_worker.jobs WHERE key = 'second'`)).length === 0);
    expect(receiver.messages).toHaveLength(1);
    held!.writeHead(204).end();
    await until(() => receiver.messages.length === 3);
    expect(new Set(receiver.events.map((event) => event.id)).size).toBe(3);
  });

  // red when: a run sends as long as its webhook has events
  it('ends after some seconds, so that slow receivers occupy no slot for long', async () => {
    const slow = await Promise.all(
      [1, 2].map(async (n) => {
        const owner = await ann.createsOrganization(`Slow ${n}`);
        for (let each = 0; each < 4; each += 1) {
          const one = await starts();
          one.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 1_000);
          await createsWebhook(ann, owner, one, { types });
        }
        await happen(owner, 60);
        return owner;
      }),
    );
    expect(slow).toHaveLength(2);
    await until(async () => {
      const [row] = await app.sql<{ sending: number }>('SELECT count(sender)::int AS sending FROM webhook');
      return row?.sending === 8;
    });
    await createsWebhook(ann, organization, receiver, { types });
    await happen(organization, 1);
    const started = performance.now();
    await until(() => receiver.messages.length === 1);
    expect(performance.now() - started).toBeLessThan(45_000);
  });

  // red when: the outcome of an attempt is recorded although the cursor is past its event
  it.each([
    [500, 'failed'],
    [200, 'delivered'],
  ])('of an event that a person passed over is recorded as it ended: %i is %s', async (status, state) => {
    let held: ServerResponse | undefined;
    receiver.answer = (response) => void (held = response);
    const { id } = await createsWebhook(ann, organization, receiver, { types });
    await happen(organization, 1);
    await until(() => held !== undefined);
    await ann.post(`/webhooks/${id}/resume?${of(organization)}`, { from: 'now' }).expect(200);
    expect(await listsDeliveries(ann, organization, id)).toMatchObject([{ state: 'failed', attempts: 0 }]);
    receiver.always(204);
    held!.writeHead(status).end();
    await happen(organization, 1);
    await until(async () => (await readsWebhook(ann, organization, id)).behind === 0);
    const [next, passed] = await eventually(
      () => listsDeliveries(ann, organization, id),
      ([first]) => first?.state === 'delivered',
    );
    expect([next, passed]).toMatchObject([{ state: 'delivered' }, { state }]);
    expect(await readsWebhook(ann, organization, id)).toMatchObject({ state: 'on', failing_since: null });
  });
});

describe('the deliveries of a webhook', () => {
  /** Adds deliveries that were made. */
  const were = (webhookId: string, count: number, age: string): Promise<unknown> =>
    app.sql(
      `INSERT INTO webhook_delivery (id, organization_id, webhook_id, position, event_id, event_type, body_sealed, state, attempts, created_at)
       SELECT uuidv7(), $1, $2, NULL, 'evt_' || n, 'webhook.ping', '\\x00', 'delivered', 1, app_now() - $4::interval
       FROM generate_series(1, $3) AS n`,
      [organization.id, webhookId, count, age],
    );
  const count = async (): Promise<number> => {
    const [row] = await app.sql<{ count: number }>('SELECT count(*)::int AS count FROM webhook_delivery');
    return row!.count;
  };

  // red when: only events in their turn delete older deliveries
  it('are at most a thousand, also when only tests are sent', async () => {
    const { id } = await createsWebhook(ann, organization, receiver, { types: ['organization.deleted'] });
    await were(id, 1_010, '1 hour');
    await ann.post(`/webhooks/${id}/test?${of(organization)}`).expect(202);
    await until(async () => (await count()) === 1_000);
    await until(async () => (await listsDeliveries(ann, organization, id))[0]?.state === 'delivered');
  });

  it('are deleted after 30 days', async () => {
    const { id } = await createsWebhook(ann, organization, receiver, { types: ['organization.deleted'] });
    await were(id, 3, '31 days');
    await were(id, 2, '29 days');
    await app.runsJob('webhooks.prune');
    expect(await count()).toBe(2);
  });

  it('have pages that miss and repeat nothing', async () => {
    const { id } = await createsWebhook(ann, organization, receiver, { types: ['organization.deleted'] });
    await were(id, 25, '1 hour');
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path = `/webhooks/${id}/deliveries?${of(organization)}&limit=10&state=delivered&cursor=${cursor}`;
      const { body } = await ann.get(path).expect(200);
      const page = body as { items: { id: string }[]; next_cursor: string | null };
      found.push(...page.items.map((item) => item.id));
      cursor = page.next_cursor;
    }
    expect(found).toHaveLength(25);
    expect(found).toEqual([...new Set(found)].sort().reverse());
    expect(await listsDeliveries(ann, organization, id, 'failed')).toEqual([]);
  });

  // red when: a job that failed for good keeps its key
  it('are sent again although an earlier job about them failed for good', async () => {
    const { id } = await createsWebhook(ann, organization, receiver, { types: ['organization.deleted'] });
    await ann.post(`/webhooks/${id}/test?${of(organization)}`).expect(202);
    await until(async () => (await listsDeliveries(ann, organization, id))[0]?.state === 'delivered');
    const [delivery] = await listsDeliveries(ann, organization, id);
    await app.sql(
      `SELECT FROM graphile_worker.add_job('webhooks.send-once', '{}', job_key => $1, max_attempts => 1, run_at => now() + interval '1 hour')`,
      [`webhooks.send-once:${delivery!.id}`],
    );
    await app.sql(`UPDATE graphile_worker._private_jobs SET attempts = 1 WHERE key LIKE 'webhooks.send-once:%'`);
    await ann.post(`/webhook-deliveries/${delivery!.id}/redeliver?${of(organization)}`).expect(202);
    await until(() => receiver.messages.length === 2);
  });
});
