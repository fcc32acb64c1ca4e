import { type AddressInfo, createServer, type Server } from 'node:net';
import { type Developer, type OrganizationRef, type ProjectRef } from '../../support/actors/actors';
import {
  createsWebhook,
  isDueNow,
  listsDeliveries,
  readsWebhook,
  RECEIVERS_HERE,
} from '../../support/actors/webhook-actors';
import { TestApp } from '../../support/app/test-app';
import { WebhookReceiver } from '../../support/servers/webhook-receiver';
import { eventually, until } from '../../support/until';

const EVENTS_BEHIND = 10_000;
/** The waits after the first failures, in seconds. */
const STEPS = [5, 300, 1_800, 7_200, 18_000];
const SAMPLES = 12;
/** The time after which the service looks for due webhooks, and what a busy machine adds. */
const NOTICEABLE_MS = 2_000;

/** One pause of a busy machine does not change it. */
const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

describe('an endpoint that is dead with ten thousand events behind', () => {
  let app: TestApp;
  let ann: Developer;
  let dead: OrganizationRef;
  let project: ProjectRef;
  let server: Server;
  let receiver: WebhookReceiver;
  let connections = 0;

  beforeAll(async () => {
    app = await TestApp.start({ environment: RECEIVERS_HERE });
    ann = await app.developer();
    receiver = await WebhookReceiver.start();
    dead = await ann.createsOrganization('Dead');
    project = await ann.createsProject(dead);
    server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined).destroy();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
  });
  afterAll(async () => {
    server.close();
    await receiver.stop();
    await app.stop();
  });

  const addsEvents = (): Promise<unknown> =>
    app.sql(
      `INSERT INTO audit_event (id, organization_id, project_id, type, actor_kind, request_id, payload, time)
       SELECT gen_random_uuid(), $1, $2, 'project.updated', 'system', 'test', jsonb_build_object('count', n), app_now()
       FROM generate_series(1, ${EVENTS_BEHIND}) AS n`,
      [dead.id, project.id],
    );
  const rows = async (): Promise<unknown> => {
    const [counts] = await app.sql(
      `SELECT (SELECT count(*) FROM webhook)::int AS webhooks, (SELECT count(*) FROM webhook_delivery)::int AS deliveries,
              (SELECT count(*) FROM webhook_download_count)::int AS downloads, (SELECT count(*) FROM audit_event WHERE organization_id = $1)::int AS events,
              (SELECT count(*) FROM graphile_worker.jobs WHERE task_identifier LIKE 'webhooks.%')::int AS jobs`,
      [dead.id],
    );
    return counts;
  };

  // red when: a run sends the next event after a failure, a failed attempt writes a row, or a look ignores `next_at`
  it('costs one connection for each step of the waits and one row, and delays no other endpoint', async () => {
    const alive = await ann.createsOrganization('Alive');
    await createsWebhook(ann, alive, receiver);
    const delays = async (): Promise<number[]> => {
      const times: number[] = [];
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        const before = receiver.messages.length;
        await ann.createsProject(alive);
        const started = performance.now();
        await until(() => receiver.messages.length > before);
        times.push(performance.now() - started);
      }
      return times;
    };
    const alone = median(await delays());

    const types = ['project.updated'];
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { id } = await createsWebhook(ann, dead, { url }, { types });
    // The first wait is five seconds. Every wait lasts an hour longer, so that the test decides when the next attempt is due, however busy
    // the machine is.
    await app.sql(
      `CREATE FUNCTION test_postpone() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN NEW.next_at := NEW.next_at + interval '1 hour'; RETURN NEW; END $$;
       CREATE TRIGGER test_postpone BEFORE UPDATE ON webhook FOR EACH ROW WHEN (NEW.attempt > OLD.attempt) EXECUTE FUNCTION test_postpone()`,
    );
    await addsEvents();
    await until(() => connections === 1);
    const idle = (counts: unknown): boolean => (counts as { jobs: number }).jobs === 0;
    const first = await eventually(rows, idle);
    for (const [step, seconds] of STEPS.entries()) {
      const [webhook] = await eventually(
        () =>
          app.sql<{ attempt: number; wait: number; behind: number }>(
            `SELECT w.attempt, extract(epoch FROM w.next_at - w.last_at - interval '1 hour')::float AS wait, (c.position - w.cursor)::int AS behind
             FROM webhook w JOIN audit_chain c ON c.id = w.organization_id WHERE w.id = $1`,
            [id],
          ),
        ([found]) => found?.attempt === step + 1,
      );
      expect(connections).toBe(step + 1);
      expect(webhook!.wait).toBeGreaterThanOrEqual(seconds - 1);
      expect(webhook!.wait).toBeLessThan(seconds * 1.1 + 1);
      expect(webhook!.behind).toBeGreaterThanOrEqual(EVENTS_BEHIND);
      await isDueNow(app, id);
    }
    await until(() => connections === STEPS.length + 1);
    const beside = delays();
    for (let failure = 0; failure < SAMPLES; failure += 1) {
      const before = connections;
      // An attempt that ends in between sets the time anew.
      await until(
        async () => {
          await isDueNow(app, id);
          return connections > before;
        },
        { everyMs: 200 },
      );
    }
    expect(median(await beside)).toBeLessThan(alone + NOTICEABLE_MS);
    const created = receiver.messages.length;
    const last = await eventually(rows, idle);
    expect(last).toEqual({ ...(first as object), deliveries: 1 + created });
    expect(await listsDeliveries(ann, dead, id)).toMatchObject([{ state: 'pending', last_error: 'connection' }]);
    expect(await readsWebhook(ann, dead, id)).toMatchObject({ state: 'on' });
  });
});
