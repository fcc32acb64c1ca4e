import { type Developer, type OrganizationRef } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ServerProcess } from '../../support/processes/server-process';
import { WebhookReceiver } from '../../support/servers/webhook-receiver';
import { until } from '../../support/until';

jest.setTimeout(1_200_000);

const EVENTS = 1_000;
const KILLS = Number(process.env.KILLS ?? 5);
const ENVIRONMENT = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' };

/** Numbers that differ between kills, and are the same in every run. */
function* pseudoRandom(): Generator<number> {
  for (let state = 42; ;) yield (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

describe('a worker that is killed while it sends', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false, environment: ENVIRONMENT });
    ann = await verifiedDeveloper(app);
    organization = await ann.createsOrganization();
    receiver = await WebhookReceiver.start();
  });
  afterAll(async () => {
    await receiver.stop();
    await app.stop();
  });

  // red when: the cursor moves before the message is sent, or the body is rendered again after the restart
  it(`sends each of ${EVENTS} events at least once, in order, and no id with two bodies, after ${KILLS} kills`, async () => {
    const project = await ann.createsProject(organization);
    const query = `organization_id=${organization.id}`;
    const webhook = { name: 'Kill', url: receiver.url, types: ['project.updated'] };
    const { body: created } = await ann.post(`/webhooks?${query}`, webhook).expect(201);
    const { id } = created as { id: string };
    await app.sql(
      `INSERT INTO audit_event (id, organization_id, project_id, type, actor_kind, request_id, payload, time)
       SELECT gen_random_uuid(), $1, $2, 'project.updated', 'system', 'test', jsonb_build_object('count', n), now()
       FROM generate_series(1, $3) AS n`,
      [organization.id, project.id, EVENTS],
    );
    const random = pseudoRandom();
    const place = { dataDirectory: app.dataDirectory, database: app.database };
    let worker = await ServerProcess.start(place, { ...ENVIRONMENT, ROLE: 'worker' });
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const goal = Math.min(
        receiver.messages.length + 1 + Math.floor(random.next().value! * (EVENTS / KILLS)),
        EVENTS - 1,
      );
      await until(() => receiver.messages.length >= goal);
      await worker.kill();
      // The successor need not wait until the claim of the killed worker has expired.
      await app.sql('UPDATE webhook SET sending_until = NULL WHERE id = $1', [id]);
      worker = await ServerProcess.start(place, { ...ENVIRONMENT, ROLE: 'worker' });
    }
    await until(async () => {
      const [row] = await app.sql<{ behind: number }>(
        `SELECT (c.position - w.cursor)::int AS behind FROM webhook w JOIN audit_chain c ON c.id = w.organization_id`,
      );
      return row?.behind === 0;
    });
    await worker.stop();
    const bodies = new Map<string, string>();
    for (const { event, body } of receiver.messages) {
      expect(bodies.get(event.id) ?? body).toBe(body);
      bodies.set(event.id, body);
    }
    expect(bodies.size).toBe(EVENTS);
    const firsts = [...bodies.values()].map((body) => (JSON.parse(body) as { position: number }).position);
    expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
    const repeated = receiver.messages.length - EVENTS;
    expect(repeated).toBeLessThanOrEqual(KILLS * 2);
  });
});
